import { describe, expect, test } from 'vitest';
import { firstAt, scoresAt, summarise } from '../../../bench/learning/summary.ts';

const seeds = [
  {
    curve: [
      [100, 1],
      [200, 4],
      [300, 6],
    ] as const,
  },
  {
    curve: [
      [100, 3],
      [200, 4],
      [300, 8],
    ] as const,
  },
];

describe('summary of seeds', () => {
  test('a mean has a 95 % interval by Student with one degree of freedom less than seeds', () => {
    const { mean, halfWidth } = summarise([1, 2, 3, 4, 5]);
    expect(mean).toBe(3);
    // deviation sqrt(2.5), over sqrt(5), times 2.776
    expect(halfWidth).toBeCloseTo(1.963, 3);
  });

  test('one seed has no interval', () => {
    expect(summarise([7])).toEqual({ mean: 7, halfWidth: null });
  });

  test('scores are read at one place of all curves', () => {
    expect(scoresAt(seeds, 2)).toEqual([6, 8]);
  });

  test('an aim is reached where the mean is, not where one seed is', () => {
    expect(firstAt(seeds, 3)).toBe(200);
    expect(firstAt(seeds, 7)).toBe(300);
    expect(firstAt(seeds, 7.5)).toBeNull();
  });
});
