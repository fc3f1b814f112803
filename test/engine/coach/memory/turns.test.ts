import { describe, expect, test } from 'vitest';
import { memoryTurns } from '../../../../src/engine/coach/memory/turns.ts';
import { insertProposal, storeWithRun } from '../../../support/store-records.ts';

/** Turns at a question in round 9, after questions whose providers are given by round. */
function turns(
  candidates: number,
  ...earlier: readonly (readonly [round: number, ...providers: string[]])[]
) {
  const store = storeWithRun();
  for (const [round, ...providers] of earlier) {
    for (const [candidate, provider] of providers.entries())
      insertProposal(store, { proposalId: `p${round}-${candidate}`, round, candidate, provider });
  }
  return memoryTurns(store, { runId: 'r1', round: 9, config: { candidates } });
}

describe('memoryTurns', () => {
  test('is half of an even number, whatever came before', () => {
    expect([turns(2), turns(2, [3, 'memory', 'rules']), turns(4)]).toEqual([1, 1, 2]);
  });

  test('with one candidate memory answers first, and never twice in a row', () => {
    expect(turns(1)).toBe(1);
    expect(turns(1, [1, 'memory'])).toBe(0);
    expect(turns(1, [1, 'memory'], [3, 'llama'])).toBe(1);
    expect(turns(1, [1, 'llama'], [4, 'memory'])).toBe(0);
  });

  test('an odd number is shared in turns', () => {
    expect(turns(3)).toBe(2);
    expect(turns(3, [1, 'memory', 'memory', 'rules'])).toBe(1);
    expect(turns(3, [1, 'memory', 'rules', 'rules'])).toBe(2);
  });

  test('nothing of the question itself counts, so that one that is put again is answered the same', () => {
    expect(turns(1, [1, 'llama'], [9, 'memory'])).toBe(1);
  });
});
