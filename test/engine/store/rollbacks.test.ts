import { expect, test } from 'vitest';
import { readProposalView } from '../../../src/engine/store/index.ts';
import { insertProposal, storeWithRun } from '../../support/store-records.ts';

test('a rollback stands, is listed by run, and is told with the proposals that it undid', () => {
  const store = storeWithRun();
  insertProposal(store);
  insertProposal(store, { proposalId: 'p2', candidate: 1 });
  const rollback = {
    runId: 'r1',
    round: 2,
    fromHash: store.texts.put('environment new extends simple_spread {}'),
    toHash: store.texts.put('environment old extends simple_spread {}'),
    measured: -12,
    incumbent: -10,
    margin: 1,
    proposalIds: ['p1'],
    note: 'it fell',
    decidedAt: 7,
  };
  store.rollbacks.record(rollback);
  store.rollbacks.record({ ...rollback, note: 'told again', decidedAt: 9 });
  expect(store.rollbacks.listByRun('r1')).toEqual([rollback]);
  expect(store.rollbacks.listByRun('r2')).toEqual([]);
  expect(readProposalView(store, 'p1').rollback).toEqual({
    author: 'rollback',
    round: 2,
    measured: -12,
    incumbent: -10,
    margin: 1,
    note: 'it fell',
    decidedAt: 7,
  });
  expect(readProposalView(store, 'p2')).not.toHaveProperty('rollback');
});
