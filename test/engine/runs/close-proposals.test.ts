import { expect, test } from 'vitest';
import { closeProposals } from '../../../src/engine/runs/close-proposals.ts';
import type { ProposalView } from '../../../src/shared/contract/coach.ts';
import { insertProposal, storeWithRun } from '../../support/store-records.ts';

test('what waits when a run ends is turned down and told; what is decided stays', () => {
  const store = storeWithRun();
  for (const [candidate, state] of (['awaiting', 'accepted', 'trying'] as const).entries()) {
    const proposalId = `p${candidate}`;
    insertProposal(store, { proposalId, candidate });
    store.proposals.setState(proposalId, state);
  }
  const told: string[] = [];
  const emit = (_event: string, payload: unknown) => void told.push((payload as ProposalView).proposalId);
  closeProposals({ store, now: () => 1, emit } as unknown as Parameters<typeof closeProposals>[0], 'r1');
  expect(
    store.proposals
      .list({ runId: 'r1' })
      .map(({ proposalId, state }) => [proposalId, state])
      .sort(),
  ).toEqual([
    ['p0', 'rejected'],
    ['p1', 'accepted'],
    ['p2', 'rejected'],
  ]);
  expect(store.decisions.find('p0')).toMatchObject({ author: 'automatic', note: 'the run ended' });
  expect(told.sort()).toEqual(['p0', 'p2']);
});
