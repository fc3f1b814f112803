import { describe, expect, test } from 'vitest';
import { nextBoundary, type RoundPlan, roundTakenUp } from '../../../src/engine/runs/loop-state.ts';

const plansOf = (rolledBackRounds: readonly (number | null)[]) => ({
  plans: rolledBackRounds.map((rolledBackRound) => ({ rolledBackRound }) as RoundPlan),
});

describe('roundTakenUp', () => {
  test('a round goes on from the one before it unless a change was rolled back', () => {
    expect(roundTakenUp(plansOf([null, null]), 1)).toBeNull();
  });

  test('after a change was rolled back, from the round before the one that trained in it', () => {
    expect(roundTakenUp(plansOf([null, null, 1]), 2)).toBe(0);
    expect(roundTakenUp(plansOf([null, null, null, 2, null]), 3)).toBe(1);
  });

  test('where the next change was rolled back, too, from before both', () => {
    expect(roundTakenUp(plansOf([null, null, 1, 2, 3]), 4)).toBe(0);
  });
});

describe('nextBoundary', () => {
  const plan = {
    ...{ textHash: 'h', identity: 'i', trialSteps: 0, incumbent: null, question: null },
    ...{ rolledBackRound: null, stage: null, move: null, shaping: null },
  };
  const next = (numPlans: number, state: 'running' | 'interrupted' | 'finished' = 'running') => {
    const loop = numPlans === 0 ? null : { plans: Array(numPlans).fill(plan), isRequested: false };
    return nextBoundary({ loop, state, numRounds: 3 });
  };

  test('is that of the round that trains, until the next one is planned; there is none in the last round', () => {
    expect([0, 1, 2, 3].map((numPlans) => next(numPlans))).toEqual([0, 0, 1, null]);
    expect([next(1, 'interrupted'), next(2, 'finished')]).toEqual([0, null]);
    expect(nextBoundary({ loop: null, state: 'queued', numRounds: 1 })).toBeNull();
  });
});
