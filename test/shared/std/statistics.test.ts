import { describe, expect, test } from 'vitest';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import {
  bootstrapInterval,
  deviation,
  intervalLabel,
  mean,
  normalInterval,
  pairedDifferences,
  probabilityOfImprovement,
  rangeCoverage,
  shareInterval,
  standardError,
  stratifiedInterval,
  studentProbability,
  studentQuantile,
} from '../../../src/shared/std/statistics.ts';

function interval(
  values: readonly number[],
  statistic: (sample: readonly number[]) => number = mean,
  seed = 1n,
) {
  return bootstrapInterval(values, statistic, new CounterRng(seed, 0));
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

  test('with up to six pairs all of them have to be better', () => {
    expect(interval([5, 4, 3, -0.1]).low).toBe(-0.1);
    expect(interval([-0.1, 5, 5, 5, 5]).low).toBe(-0.1);
  });

  test('the same stream gives the same interval', () => {
    const values = Array.from({ length: 12 }, (_, i) => Math.sqrt(i + 1));
    expect(interval(values)).toEqual(interval(values));
    expect(interval(values, mean, 2n)).not.toEqual(interval(values));
  });

  test.each([2, 3, 4, 6, 7, 10])('calls noise better in at most a few cases: %i pairs (seed 5)', (n) => {
    const rng = new CounterRng(5n, n);
    const draws = 300;
    let wrong = 0;
    for (let i = 0; i < draws; i++) {
      const differences = Array.from({ length: n }, () => rng.nextNormal());
      if (interval(differences, mean, BigInt(i)).low > 0) wrong++;
    }
    // Nominal 2.5 %; with up to five pairs no rule of this kind does better than 2^-n.
    const tolerated = Math.max(0.025, 2 ** -n) * draws;
    expect(wrong).toBeLessThanOrEqual(tolerated + 3 * Math.sqrt(tolerated));
  });
});

describe('mean, deviation and standardError', () => {
  test('are those of a sample', () => {
    const values = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(mean(values)).toBe(5);
    expect(deviation(values)).toBeCloseTo(Math.sqrt(32 / 7), 12);
    expect(standardError(values)).toBeCloseTo(Math.sqrt(4 / 7), 12);
    expect(mean(Float64Array.from(values))).toBe(5);
  });

  test('one value deviates from nothing', () => {
    expect([deviation([3]), standardError([3])]).toEqual([0, 0]);
  });
});

describe('normalInterval', () => {
  test('is 1.96 standard errors to either side', () => {
    const values = Float64Array.from({ length: 100 }, (_, i) => i % 2);
    const { mean: center, low, high } = normalInterval(values);
    expect(center).toBe(0.5);
    expect(high - center).toBeCloseTo(1.96 * 0.05025, 4);
    expect(center - low).toBeCloseTo(high - center, 12);
  });
});

describe('pairedDifferences', () => {
  test('pairs what both have', () => {
    const own = new Map([
      [1, 5],
      [2, 7],
      [3, 9],
    ]);
    const other = new Map([
      [3, 1],
      [1, 2],
    ]);
    expect(pairedDifferences(own, other)).toEqual([3, 8]);
  });
});

describe('probabilityOfImprovement', () => {
  test('counts wins in the direction that is better, ties half', () => {
    expect(probabilityOfImprovement([1, -1, 0, 2], 'higher')).toBe(0.625);
    expect(probabilityOfImprovement([1, -1, 0, 2], 'lower')).toBe(0.375);
  });
});

describe('stratifiedInterval', () => {
  const overall = (strata: readonly (readonly number[])[]) => mean(strata.map((values) => mean(values)));

  test('draws within groups: what differs between them alone does not widen it', () => {
    const groups = [
      [0, 0, 0, 0],
      [9, 9, 9, 9],
    ];
    expect(stratifiedInterval(groups, overall, new CounterRng(3n, 0))).toEqual({ low: 4.5, high: 4.5 });
    const { low, high } = stratifiedInterval(
      [
        [0, 1, 2, 3],
        [9, 10, 11, 12],
      ],
      overall,
      new CounterRng(3n, 0),
    );
    expect(low).toBeGreaterThan(4.5);
    expect(low).toBeLessThan(6);
    expect(high).toBeGreaterThan(6);
    expect(high).toBeLessThan(7.5);
  });

  test('holds the true mean of two groups of five in about 95 % of cases', () => {
    const draws = new CounterRng(11n, 0);
    let held = 0;
    const cases = 60;
    for (let i = 0; i < cases; i++) {
      const strata = [0, 5].map((center) => Array.from({ length: 5 }, () => center + draws.nextNormal()));
      const { low, high } = stratifiedInterval(strata, overall, new CounterRng(BigInt(i), 1));
      if (low <= 2.5 && high >= 2.5) held++;
    }
    expect(held / cases).toBeGreaterThan(0.88);
  });
});

describe('shareInterval', () => {
  test('equals published figures', () => {
    // Newcombe 1998, table I: 81 of 263, and 1 of 29.
    expect(shareInterval(81, 263).low).toBeCloseTo(0.2553, 4);
    expect(shareInterval(81, 263).high).toBeCloseTo(0.3662, 4);
    expect(shareInterval(1, 29).low).toBeCloseTo(0.0061, 4);
    expect(shareInterval(1, 29).high).toBeCloseTo(0.1718, 4);
  });

  test('stays within 0 and 1, and is never empty', () => {
    expect(shareInterval(0, 20)).toMatchObject({ low: 0 });
    expect(shareInterval(0, 20).high).toBeCloseTo(0.1611, 4);
    expect(shareInterval(3, 3)).toMatchObject({ high: 1 });
  });
});

describe('studentProbability', () => {
  test('equals published figures, and is one half at zero', () => {
    // Of one degree it is Cauchy's, of two it has a closed form.
    expect(studentProbability(1, 1)).toBeCloseTo(0.75, 12);
    expect(studentProbability(Math.SQRT2, 2)).toBeCloseTo(0.5 + Math.SQRT1_2 / 2, 12);
    expect(studentProbability(2.353, 3)).toBeCloseTo(0.95, 4);
    expect(studentProbability(2.132, 4)).toBeCloseTo(0.95, 4);
    for (const degrees of [1, 2, 3, 8]) expect(studentProbability(0, degrees)).toBe(0.5);
  });

  test.each([1, 2, 3, 4, 5, 9, 10, 30])('is the inverse of the quantile: %i degrees', (degrees) => {
    expect(studentProbability(studentQuantile(degrees), degrees)).toBeCloseTo(0.975, 3);
    expect(studentProbability(-studentQuantile(degrees), degrees)).toBeCloseTo(0.025, 3);
  });
});
