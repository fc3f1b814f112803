import { describe, expect, test } from 'vitest';
import { probabilityAbove, standardError } from '../../../src/engine/coach/measured.ts';
import { createRandom } from '../../../src/engine/coach/seeded-random.ts';
import { concludeTrial } from '../../../src/engine/coach/whatif/conclude-trial.ts';
import { deviation } from '../../../src/shared/std/statistics.ts';

describe('standardError', () => {
  test('is that of the mean, as told by the range of few pairs and the interval of many', () => {
    // The expected range of four draws from N(0, 1) is 2.059, the error of their mean 1 / 2.
    expect(standardError({ low: 0, high: 2.059, numPairs: 4 })).toBeCloseTo(0.5, 6);
    // Nine pairs: the quantile of Student's t with eight degrees is 2.306.
    expect(standardError({ low: -2.306, high: 2.306, numPairs: 9 })).toBeCloseTo(1, 6);
  });

  test('of two pairs is that of the pairs themselves, exactly', () => {
    expect(standardError({ low: 1, high: 2, numPairs: 2 })).toBeCloseTo(deviation([1, 2]) / Math.SQRT2, 12);
  });

  test('of many pairs is that of the pairs themselves', () => {
    const differences = Array.from({ length: 8 }, (_, i) => i - 2);
    const pairs = differences.map((candidate, i) => ({
      ...{ seed: String(i), candidate, control: 0, chargedSteps: 1, evaluationSteps: 1 },
    }));
    const summary = concludeTrial(pairs, 'higher', createRandom('test', 1));
    const mean = differences.reduce((a, b) => a + b, 0) / 8;
    const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 7;
    const error = standardError({ ...summary, numPairs: 8 });
    const ratio = error / Math.sqrt(variance / 8);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  test('of one pair is not known', () => {
    expect(standardError({ low: 3, high: 3, numPairs: 1 })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('probabilityAbove', () => {
  const of = (meanDifference: number, half: number, numPairs: number) =>
    probabilityAbove({
      ...{ meanDifference, low: meanDifference - half, high: meanDifference + half, numPairs },
    });

  test('of the same gain and error is the nearer to certainty the more pairs told them', () => {
    // A gain of three standard errors; normal, each would be 0.999.
    const ranges = { 2: Math.SQRT2, 3: 1.693, 4: 2.059 };
    const told = ([2, 3, 4] as const).map((n) => of(3, (ranges[n] * Math.sqrt(n)) / 2, n));
    expect(told[0]).toBeCloseTo(0.898, 3);
    expect(told[1]).toBeCloseTo(0.952, 3);
    expect(told[2]).toBeCloseTo(0.971, 3);
  });

  test('of two pairs is what the t-test says of them', () => {
    // One degree of freedom is Cauchy's distribution, t = mean / (half the range).
    for (const [low, high] of [
      [1, 2],
      [0, 1],
      [-1, 4],
    ] as const) {
      const meanDifference = (low + high) / 2;
      const expected = 0.5 + Math.atan(meanDifference / ((high - low) / 2)) / Math.PI;
      expect(probabilityAbove({ meanDifference, low, high, numPairs: 2 })).toBeCloseTo(expected, 9);
    }
  });

  test('is one half for no difference and for one pair, and its complement the other way round', () => {
    expect([of(0, 1, 3), of(5, 0, 1)]).toEqual([0.5, 0.5]);
    expect(of(-2, 1, 3)).toBeCloseTo(1 - of(2, 1, 3), 12);
  });

  test('of pairs that all say the same to the last bit is certain', () => {
    expect([of(2, 0, 2), of(-2, 0, 2), of(0, 0, 2)]).toEqual([1, 0, 0.5]);
  });
});
