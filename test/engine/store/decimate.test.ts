import { describe, expect, test } from 'vitest';
import { createDecimator } from '../../../src/engine/store/decimate.ts';

describe('createDecimator', () => {
  test('a block counts like the points it stands for', () => {
    const byPoints = createDecimator(3);
    for (const [step, value] of [
      [1, 2],
      [2, 8],
      [3, 5],
    ] as const)
      byPoints.addPoint(step, value);
    const byBlock = createDecimator(3);
    byBlock.addBlock({ numPoints: 3, lastStep: 3, low: 2, high: 8, sum: 15, numFinite: 3 });
    expect(byBlock.finish()).toEqual(byPoints.finish());
  });

  test('a bucket with nothing but NaN reads NaN, one with some reads the rest', () => {
    const decimator = createDecimator(2);
    for (const [step, value] of [
      [1, Number.NaN],
      [2, Number.NaN],
      [3, Number.NaN],
      [4, 6],
    ] as const)
      decimator.addPoint(step, value);
    const { steps, values, low, high } = decimator.finish();
    expect([...steps]).toEqual([2, 4]);
    expect([...values]).toEqual([Number.NaN, 6]);
    expect([...low]).toEqual([Number.NaN, 6]);
    expect([...high]).toEqual([Number.NaN, 6]);
  });

  test('the last bucket may be short', () => {
    const decimator = createDecimator(2);
    for (const step of [1, 2, 3]) decimator.addPoint(step, step);
    expect([...decimator.finish().steps]).toEqual([2, 3]);
  });
});
