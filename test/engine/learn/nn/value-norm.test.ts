import { describe, expect, test } from 'vitest';
import { ValueNorm } from '../../../../src/engine/learn/nn/value-norm.ts';

describe('ValueNorm', () => {
  test('changes nothing before the first update', () => {
    const norm = new ValueNorm();
    expect([norm.mean, norm.deviation]).toEqual([0, 1]);
  });

  test('equals mean and deviation of the first batch in spite of starting at zero', () => {
    const norm = new ValueNorm();
    norm.update(Float32Array.of(1, 3, 5, 7));
    expect(norm.mean).toBeCloseTo(4, 10);
    expect(norm.deviation).toBeCloseTo(Math.sqrt(5), 10);
  });

  test('weighs batches by their age', () => {
    const norm = new ValueNorm();
    norm.update(Float32Array.of(0, 0));
    norm.update(Float32Array.of(2, 2));
    // 0.99 · 0.01 · 0 + 0.01 · 2 over 0.99 · 0.01 + 0.01
    expect(norm.mean).toBeCloseTo(2 / 1.99, 10);
  });

  test('does not blow up the scale when all returns are equal', () => {
    const norm = new ValueNorm();
    norm.update(Float32Array.of(5, 5, 5));
    expect(norm.deviation).toBeCloseTo(0.1, 10);
  });
});
