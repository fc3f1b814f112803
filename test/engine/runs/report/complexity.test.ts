import { describe, expect, test } from 'vitest';
import { isLookedAt } from '../../../../src/engine/runs/report/complexity.ts';

const chosen = (numRounds: number) =>
  Array.from({ length: numRounds }, (_, round) => round).filter((round) => isLookedAt(round, numRounds));

describe('isLookedAt', () => {
  test('takes all of a few rounds', () => {
    expect(chosen(1)).toEqual([0]);
    expect(chosen(12)).toHaveLength(12);
  });

  test('takes a dozen of many, the first and the last among them, spread evenly', () => {
    for (const numRounds of [13, 20, 100, 1000]) {
      const rounds = chosen(numRounds);
      expect(rounds).toHaveLength(12);
      expect([rounds[0], rounds.at(-1)]).toEqual([0, numRounds - 1]);
      const gaps = rounds.slice(1).map((round, index) => round - (rounds[index] ?? 0));
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
    }
  });
});
