import { describe, expect, test } from 'vitest';
import { summarizeHistory, trendOf } from '../../../../src/engine/coach/snapshot/checkpoints.ts';

const history = (values: readonly number[]) => ({ steps: values.map((_, i) => i + 1), values });

describe('summarizeHistory', () => {
  test('cuts a long history into ten stretches with extremes and mean', () => {
    const checkpoints = summarizeHistory(history(Array.from({ length: 40 }, (_, i) => i)));
    expect(checkpoints).toHaveLength(10);
    expect(checkpoints[0]).toEqual({ step: 4, min: 0, mean: 1.5, max: 3 });
    expect(checkpoints[9]).toEqual({ step: 40, min: 36, mean: 37.5, max: 39 });
  });

  test('keeps a short history point by point', () => {
    expect(summarizeHistory(history([5, 7]))).toEqual([
      { step: 1, min: 5, mean: 5, max: 5 },
      { step: 2, min: 7, mean: 7, max: 7 },
    ]);
  });

  test('leaves out what is not finite, and an empty history gives nothing', () => {
    expect(summarizeHistory(history([Number.NaN, 3, Number.POSITIVE_INFINITY]))).toEqual([
      { step: 2, min: 3, mean: 3, max: 3 },
    ]);
    expect(summarizeHistory(history([]))).toEqual([]);
  });

  test('every point lies in exactly one stretch', () => {
    const values = Array.from({ length: 37 }, () => 1);
    const steps = summarizeHistory(history(values)).map(({ step }) => step);
    expect(steps.at(-1)).toBe(37);
    expect(new Set(steps).size).toBe(10);
  });
});

describe('trendOf', () => {
  test('is where a figure ends between the least and the most it was, seen from its beginning', () => {
    expect([trendOf([1, 3]), trendOf([3, 1]), trendOf([0, 4, 1])]).toEqual([1, -1, 0.25]);
  });

  test('of what stays, and of fewer than two values, is nothing', () => {
    expect([trendOf([2, 2, 2]), trendOf([2]), trendOf([])]).toEqual([0, 0, 0]);
  });
});
