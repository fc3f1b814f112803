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

  test('accepted ones say at which round they were applied; rejected ones are not among them', () => {
    const store = storeWithRun();
    insertProposal(store);
    insertProposal(store, { proposalId: 'p2', candidate: 1 });
    store.decisions.record(accepted);
    store.decisions.record({ ...accepted, proposalId: 'p2', verdict: 'rejected' });
    expect(store.decisions.listByRun('r1')).toMatchObject([{ proposalId: 'p1', appliedRound: null }]);
    store.decisions.markApplied('p1', 2);
    expect(store.decisions.listByRun('r1')).toMatchObject([{ proposalId: 'p1', appliedRound: 2 }]);
  });

  test('what the validator said of an edited text is given back with the decision', () => {
    const store = storeWithRun();
    insertProposal(store);
    const validation = { isValid: false, reasons: [] };
    store.decisions.record({ ...accepted, verdict: 'edited', validation });
    expect(store.decisions.find('p1')).toMatchObject({ verdict: 'edited', validation });
    insertProposal(store, { proposalId: 'p2', candidate: 1 });
    store.decisions.record({ ...accepted, proposalId: 'p2' });
    expect(store.decisions.find('p2')).not.toHaveProperty('validation');
  });

  test('one on an unknown proposal is store.constraint', () => {
    expect(thrownBy(() => storeWithRun().decisions.record(accepted)).code).toBe('store.constraint');
  });
});
