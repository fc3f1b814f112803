import { describe, expect, test } from 'vitest';
import { average, bootstrapInterval } from '../../../src/shared/std/bootstrap.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';

function interval(values: readonly number[], statistic = average) {
  return bootstrapInterval(values, statistic, new CounterRng(1n, 0));
}

describe('bootstrapInterval', () => {
  test('takes any statistic', () => {
    const values = [1, 2, 3, 4, 100];
    const median = (sample: readonly number[]) => sample.toSorted((a, b) => a - b)[2] ?? Number.NaN;
    expect(interval(values, median).high).toBeLessThanOrEqual(100);
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
});
