import { describe, expect, test } from 'vitest';
import { concludeTrial } from '../../../../src/engine/coach/whatif/conclude-trial.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

const pairs = (differences: readonly number[]) =>
  differences.map((difference, i) => ({
    seed: String(i),
    candidate: 10 + difference,
    control: 10,
    chargedSteps: 0,
    evaluationSteps: 0,
  }));

const conclude = (differences: readonly number[], better: 'higher' | 'lower' = 'higher') =>
  concludeTrial(pairs(differences), better, new CounterRng(1n, 0));

describe('concludeTrial', () => {
  test('better needs the whole interval on the better side', () => {
    expect(conclude([1, 2, 1])).toMatchObject({
      verdict: 'better',
      low: 1,
      high: 2,
      probabilityOfImprovement: 1,
    });
    expect(conclude([1, 2, -0.5]).verdict).toBe('notBetter');
    expect(conclude([-1, -2], 'lower').verdict).toBe('better');
  });

  test('one pair, or none, never wins, and its range is its interval', () => {
    expect(conclude([5])).toMatchObject({ verdict: 'notBetter', meanDifference: 5, low: 5, high: 5 });
    expect(conclude([])).toMatchObject({ verdict: 'notBetter', meanDifference: 0 });
  });

  test('a score that is no number never wins', () => {
    expect(conclude([1, Number.NaN, 2]).verdict).toBe('notBetter');
  });
});
