import { describe, expect, test } from 'vitest';
import { type RoundPlan, roundTakenUp } from '../../../src/engine/runs/loop-state.ts';

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
