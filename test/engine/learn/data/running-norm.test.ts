import { describe, expect, test } from 'vitest';
import { RunningNorm } from '../../../../src/engine/learn/data/running-norm.ts';

describe('RunningNorm', () => {
  test('has mean and population variance of the rows it took in', () => {
    const norm = new RunningNorm(2);
    for (const row of [
      [1, 10],
      [3, 10],
      [8, 10],
    ]) {
      norm.add(Float32Array.from(row));
    }
    expect(norm.mean(0)).toBeCloseTo(4, 12);
    // ((-3)² + (-1)² + 4²) / 3
    expect(norm.variance(0)).toBeCloseTo(26 / 3, 12);
    expect(norm.variance(1)).toBe(0);
  });

  test('brings rows to these units, within ±10 deviations, and constants to 0', () => {
    const norm = new RunningNorm(2);
    for (const value of [-1, 1]) norm.add(Float32Array.from([value, 5]));
    const target = new Float32Array(4);
    norm.apply(Float32Array.from([9, 9, 0.5, 5]), 2, target, 1);
    expect([...target]).toEqual([0, 0.5, 0, 0]);
    norm.apply(Float32Array.from([1000, -1000]), 0, target, 0);
    expect([...target.subarray(0, 2)]).toEqual([10, -10]);
  });

  test('changes nothing but the scale of constants before it has seen anything', () => {
    expect(new RunningNorm(1).variance(0)).toBe(1);
  });
});
