import { describe, expect, test } from 'vitest';
import { thrownBy } from '../../support/error-code.ts';
import { insertProposal, storeWithRun } from '../../support/store-records.ts';

const accepted = {
  proposalId: 'p1',
  verdict: 'accepted',
  author: 'person',
  note: '',
  decidedAt: 5,
  textHash: null,
} as const;

describe('decisions', () => {
  test('a decision stands: the second one is refused and says who decided', () => {
    const store = storeWithRun();
    insertProposal(store);
    store.decisions.record(accepted);
    const error = thrownBy(() => store.decisions.record({ ...accepted, verdict: 'rejected' }));
    expect(error.code).toBe('store.constraint');
    expect(error.message).toContain('already accepted by a person');
  });

  test('an accepted one says at which round it was applied; a rejected one never does', () => {
    const store = storeWithRun();
    insertProposal(store);
    insertProposal(store, { proposalId: 'p2', candidate: 1 });
    store.decisions.record(accepted);
    store.decisions.record({ ...accepted, proposalId: 'p2', verdict: 'rejected' });
    store.decisions.markApplied('p1', 2);
    const applied = store.decisions.listByRun('r1');
    expect(applied).toMatchObject([
      { proposalId: 'p1', appliedRound: 2 },
      { proposalId: 'p2', appliedRound: null },
    ]);
  });

  test('one on an unknown proposal is store.constraint', () => {
    expect(thrownBy(() => storeWithRun().decisions.record(accepted)).code).toBe('store.constraint');
  });
});
