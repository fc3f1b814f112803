import { describe, expect, test } from 'vitest';
import { concludeTrial } from '../../../../src/engine/coach/whatif/conclude-trial.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

const pairs = (differences: readonly number[], error?: number) =>
  differences.map((difference, i) => ({
    ...(error !== undefined && { error }),
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

  test('better needs more than other episodes may make of it', () => {
    const concludeOver = (error: number | undefined, better: 'higher' | 'lower' = 'higher') => {
      const differences = better === 'higher' ? [0.001, 0.003] : [-0.001, -0.003];
      return concludeTrial(pairs(differences, error), better, new CounterRng(1n, 0));
    };
    // Of the mean of two pairs the error is that of a pair over the root of two.
    expect(concludeOver(0.002)).toMatchObject({ verdict: 'notBetter', probabilityOfImprovement: 1 });
    expect(concludeOver(0.002).leastGain).toBeCloseTo((2 * 0.002) / Math.SQRT2, 12);
    expect(concludeOver(0.001)).toMatchObject({ verdict: 'better' });
    expect(concludeOver(0.002, 'lower').verdict).toBe('notBetter');
    expect(concludeOver(0.001, 'lower').verdict).toBe('better');
    // Trials of before are judged as they were.
    expect(concludeOver(undefined)).toMatchObject({ verdict: 'better' });
    expect(concludeOver(undefined)).not.toHaveProperty('leastGain');
  });

  test('one pair, or none, never wins, and its range is its interval', () => {
    expect(conclude([5])).toMatchObject({ verdict: 'notBetter', meanDifference: 5, low: 5, high: 5 });
    expect(conclude([])).toMatchObject({ verdict: 'notBetter', meanDifference: 0 });
  });

  test('a score that is no number never wins', () => {
    expect(conclude([1, Number.NaN, 2]).verdict).toBe('notBetter');
  });
});
