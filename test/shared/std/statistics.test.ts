import { describe, expect, test } from 'vitest';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import {
  average,
  bootstrapInterval,
  intervalLabel,
  rangeCoverage,
} from '../../../src/shared/std/statistics.ts';

function interval(values: readonly number[], statistic = average) {
  return bootstrapInterval(values, statistic, new CounterRng(1n, 0));
}

describe('bootstrapInterval', () => {
  test('takes any statistic', () => {
    const values = [1, 2, 3, 4, 5, 6, 100];
    const median = (sample: readonly number[]) => sample.toSorted((a, b) => a - b)[3] ?? Number.NaN;
    expect(interval(values, median).low).toBeGreaterThanOrEqual(1);
    expect(interval(values, median).high).toBeGreaterThan(interval(values, median).low);
    expect(interval(values, () => 7)).toEqual({ low: 7, high: 7 });
  });

  test('widens from the range of few values to the textbook interval of many', () => {
    expect(interval([4, 1, 2])).toEqual({ low: 1, high: 4 });
    const many = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? 1 : -1));
    // Standard error 1/20: ± 0.098.
    expect(interval(many).low).toBeCloseTo(-0.098, 2);
    expect(interval(many).high).toBeCloseTo(0.098, 2);
  });

  test('one value has no interval', () => {
    expect(interval([3])).toEqual({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
  });

  // All differences are 5 but one, which is slightly worse: what a range must show and a mean of resamples may not.
  test.each([
    [2, -0.1, 'range', 0.5],
    [3, -0.1, 'range', 0.75],
    [4, -0.1, 'range', 0.875],
    [5, -0.1, 'range', 0.9375],
    [6, -0.1, '95 %', 0.96875],
    [7, 2.086, '95 %', 0.984375],
    [8, 2.45, '95 %', 0.9921875],
  ] as const)(
    'of %i values with one below zero it begins at %d and is called %s',
    (n, low, label, coverage) => {
      const values = [-0.1, ...Array<number>(n - 1).fill(5)];
      expect(interval(values).low).toBeCloseTo(low, 2);
      expect(interval(values).high).toBe(5);
      expect(intervalLabel(n)).toBe(label);
      expect(rangeCoverage(n)).toBe(coverage);
    },
  );

  test.each([2, 3, 4, 5])('the range of %i normal values covers their median as often as is said', (n) => {
    const random = new CounterRng(9n, n);
    const draws = 4000;
    let covered = 0;
    for (let i = 0; i < draws; i++) {
      const { low, high } = interval(Array.from({ length: n }, () => random.nextNormal()));
      if (low <= 0 && high >= 0) covered++;
    }
    expect(covered / draws).toBeCloseTo(rangeCoverage(n), 1);
  });
});
