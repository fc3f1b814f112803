import { describe, expect, test } from 'vitest';
import { measureLearnability } from '../../../../src/engine/coach/snapshot/measure-learnability.ts';
import { SolvedStarts } from '../../../../src/engine/train/solved-starts.ts';

function learnabilityOf(...evaluations: readonly (readonly number[])[]) {
  const solved = new SolvedStarts();
  for (const success of evaluations) solved.add(Float64Array.from(success));
  return measureLearnability(solved.state);
}

describe('measureLearnability', () => {
  test('tells starts that are always, sometimes and never solved, and the mean of p(1-p)', () => {
    const figures = learnabilityOf([1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 1], [1, 1, 0, 0]);
    expect(figures).toMatchObject({ episodes: 4, evaluations: 4, always: 1, sometimes: 2, never: 1 });
    expect(figures?.meanVariance).toBeCloseTo((0 + 0.5 * 0.5 + 0 + 0.25 * 0.75) / 4, 12);
  });

  test('one evaluation, or none, tells nothing', () => {
    expect(learnabilityOf([1, 0])).toBeNull();
    expect(learnabilityOf()).toBeNull();
    expect(measureLearnability(undefined)).toBeNull();
  });
});
