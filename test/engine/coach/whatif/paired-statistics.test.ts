import { describe, expect, test } from 'vitest';
import {
  bootstrapInterval,
  probabilityOfImprovement,
} from '../../../../src/engine/coach/whatif/paired-statistics.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

const interval = (differences: readonly number[], seed = 1n) =>
  bootstrapInterval(differences, new CounterRng(seed, 0));

describe('bootstrapInterval', () => {
  test('with few pairs it is their range: every pair has to be better', () => {
    expect(interval([1, 3])).toEqual({ mean: 2, low: 1, high: 3 });
    expect(interval([2, 1, 4])).toEqual({ mean: 7 / 3, low: 1, high: 4 });
    expect(interval([5, 4, 3, -0.1]).low).toBe(-0.1);
    expect(interval([-0.1, 5, 5, 5, 5]).low).toBe(-0.1);
  });

  test('one pair says nothing', () => {
    expect(interval([3])).toEqual({ mean: 3, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
  });

  test('with many pairs it is the textbook interval', () => {
    // 100 values of mean 0.5 and standard deviation 1: 0.5 ± 1.96 / 10, a little more by Student.
    const values = Array.from({ length: 100 }, (_, i) => 0.5 + (i % 2 === 0 ? 1 : -1));
    const { low, high } = interval(values);
    expect(low).toBeCloseTo(0.3, 1);
    expect(high).toBeCloseTo(0.7, 1);
  });

  test('the same stream gives the same interval', () => {
    const values = Array.from({ length: 12 }, (_, i) => Math.sqrt(i + 1));
    expect(interval(values)).toEqual(interval(values));
    expect(interval(values, 2n)).not.toEqual(interval(values, 1n));
  });

  test.each([2, 3, 4, 6, 10])('calls noise better in at most a few cases: %i pairs (seed 5)', (n) => {
    const rng = new CounterRng(5n, n);
    const draws = 300;
    let wrong = 0;
    for (let i = 0; i < draws; i++) {
      const differences = Array.from({ length: n }, () => rng.nextNormal());
      if (interval(differences, BigInt(i)).low > 0) wrong++;
    }
    // Nominal 2.5 %; with two, three and four pairs no rule of this kind does better than 2^-n.
    const tolerated = Math.max(0.025, 2 ** -n) * draws;
    expect(wrong).toBeLessThanOrEqual(tolerated + 3 * Math.sqrt(tolerated));
  });
});

describe('probabilityOfImprovement', () => {
  test('counts wins in the direction that is better, ties half', () => {
    expect(probabilityOfImprovement([1, -1, 0, 2], 'higher')).toBe(0.625);
    expect(probabilityOfImprovement([1, -1, 0, 2], 'lower')).toBe(0.375);
  });
});
