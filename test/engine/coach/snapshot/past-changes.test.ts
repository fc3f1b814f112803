import { describe, expect, test } from 'vitest';
import { listPastChanges } from '../../../../src/engine/coach/snapshot/past-changes.ts';
import { insertProposal, proposalBody, storeWithRun } from '../../../support/store-records.ts';

type Op = 'add' | 'modify' | 'remove';

/** Accepted changes of one target each, in turn, and whether each is said to be in force. */
function inForce(
  changes: readonly (readonly [Op, string])[],
  declared: readonly string[],
  rolledBack: readonly string[] = [],
): boolean[] {
  const store = storeWithRun();
  for (const [round, [op, target]] of changes.entries()) {
    const proposalId = `p${round}`;
    insertProposal(store, { proposalId, round });
    const body = { ...proposalBody, changes: proposalBody.changes.map((each) => ({ ...each, op, target })) };
    const answer = { answerHash: null, isComposed: true, afterHash: null, details: {} };
    store.proposals.answer(proposalId, { ...answer, body, state: 'accepted' });
  }
  const text = store.texts.put('environment a extends simple_spread {}');
  if (rolledBack.length > 0) {
    const figures = { measured: 1, incumbent: 2, margin: 0.5, note: 'it fell', decidedAt: 1 };
    const where = { runId: 'r1', round: 3, fromHash: text, toHash: text };
    store.rollbacks.record({ ...where, ...figures, proposalIds: rolledBack });
  }
  return listPastChanges(store, 'r1', 9, new Set(declared)).map(({ isInForce }) => isInForce);
}

describe('listPastChanges', () => {
  test('an addition is in force while it is declared, a removal while it is not', () => {
    const changes = [['add', 'reward near'] as const, ['remove', 'reward crowding'] as const];
    expect(inForce(changes, ['reward near'])).toEqual([true, true]);
    expect(inForce(changes, ['reward crowding'])).toEqual([false, false]);
  });

  test('a later change to the same declaration overtakes an earlier one', () => {
    const changes = [['add', 'reward near'] as const, ['modify', 'reward near'] as const];
    expect(inForce(changes, ['reward near'])).toEqual([false, true]);
  });

  test('what was rolled back is not in force, though its declaration is there', () => {
    expect(inForce([['modify', 'reward near']], ['reward near'], ['p0'])).toEqual([false]);
  });
});
