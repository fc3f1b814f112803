import { describe, expect, test } from 'vitest';
import { thrownBy } from '../../support/error-code.ts';
import {
  insertProposal,
  proposalBody,
  runRecord,
  storeWithRun,
  studyRecord,
} from '../../support/store-records.ts';

const answered = {
  answerHash: null,
  isComposed: true,
  body: proposalBody,
  afterHash: null,
  details: { index: 3 },
  state: 'validated',
} as const;

describe('proposals', () => {
  test('is on record as asked before the coach answers', () => {
    const store = storeWithRun();
    insertProposal(store);
    expect(store.proposals.get('p1')).toMatchObject({
      state: 'asked',
      body: null,
      details: { trigger: 'interval' },
    });
  });

  test('asking again under the same id changes nothing', () => {
    const store = storeWithRun();
    insertProposal(store);
    store.proposals.answer('p1', answered);
    insertProposal(store, { provider: 'random' });
    expect(store.proposals.get('p1')).toMatchObject({
      provider: 'rules',
      state: 'validated',
      body: proposalBody,
    });
  });

  test('a second candidate of the same place under another id is store.constraint', () => {
    const store = storeWithRun();
    insertProposal(store);
    expect(thrownBy(() => insertProposal(store, { proposalId: 'p2' })).code).toBe('store.constraint');
  });

  test('a repaired answer replaces the earlier one with all its changes', () => {
    const store = storeWithRun();
    insertProposal(store);
    const [change] = proposalBody.changes;
    if (change === undefined) throw new Error('the fixture has a change');
    store.proposals.answer('p1', {
      ...answered,
      body: { ...proposalBody, changes: [change, { ...change, target: 'set x' }] },
    });
    store.proposals.answer('p1', answered);
    expect(store.proposals.get('p1').body).toEqual(proposalBody);
  });

  test('lists newest first, of a study, a run or a round', () => {
    const store = storeWithRun();
    store.studies.insert(studyRecord(store, { studyId: 's2' }));
    store.runs.insert(runRecord({ runId: 'r2', studyId: 's2' }));
    insertProposal(store);
    insertProposal(store, { proposalId: 'p2', candidate: 1, createdAt: 3000 });
    const ids = (filter: Parameters<typeof store.proposals.list>[0]) =>
      store.proposals.list(filter).map((each) => each.proposalId);
    expect(ids({})).toEqual(['p2', 'p1']);
    expect(ids({ studyId: 's1' })).toEqual(['p2', 'p1']);
    expect(ids({ studyId: 's2' })).toEqual([]);
    expect(ids({ runId: 'r1', round: 1 })).toEqual([]);
  });

  test('one that is left to a person says why it was not tried', () => {
    const store = storeWithRun();
    insertProposal(store);
    expect(store.proposals.get('p1').untried).toBeNull();
    store.proposals.leave('p1', 'nothing pays for it');
    expect(store.proposals.get('p1')).toMatchObject({ state: 'awaiting', untried: 'nothing pays for it' });
    expect(thrownBy(() => store.proposals.leave('p9', '')).code).toBe('store.notFound');
  });

  test('one for a snapshot that is not there is store.constraint; an unknown id is store.notFound', () => {
    const store = storeWithRun();
    expect(thrownBy(() => insertProposal(store, { snapshotId: 'nowhere' })).code).toBe('store.constraint');
    expect(thrownBy(() => store.proposals.get('p9')).code).toBe('store.notFound');
    expect(thrownBy(() => store.proposals.setState('p9', 'failed')).code).toBe('store.notFound');
  });
});
