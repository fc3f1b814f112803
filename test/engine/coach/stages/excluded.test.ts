import { expect, test } from 'vitest';
import { earlierIdentities } from '../../../../src/engine/coach/stages/excluded.ts';
import { roundContext } from '../../../support/coach-world.ts';
import { insertProposal, storeWithRun } from '../../../support/store-records.ts';

test('a candidate is asked for after the one before it and its second attempt', () => {
  const store = storeWithRun();
  // With three candidates, 3 is the second attempt of 0.
  for (const candidate of [0, 1, 2, 3, 4])
    insertProposal(store, {
      proposalId: `p${candidate}`,
      candidate,
      details: { identity: `of ${candidate}` },
    });
  const { config, runId, round } = roundContext();
  const before = (candidate: number): string[] =>
    [...earlierIdentities(store, { runId, round, config: { ...config, candidates: 3 } }, candidate)].filter(
      (identity) => identity.startsWith('of '),
    );
  expect(before(0)).toEqual([]);
  expect(before(3)).toEqual(['of 0']);
  expect(before(1).toSorted()).toEqual(['of 0', 'of 3']);
  expect(before(4).toSorted()).toEqual(['of 0', 'of 1', 'of 3']);
  expect(before(2).toSorted()).toEqual(['of 0', 'of 1', 'of 3', 'of 4']);
});
