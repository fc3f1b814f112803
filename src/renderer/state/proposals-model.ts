import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ProposalState, ProposalView } from '../../shared/contract/coach.ts';
import type { Client } from '../../shared/contract/index.ts';
import { failed, type Loadable, pending, ready, valueOr } from './loadable.ts';

export interface ProposalsState {
  /** Newest first. */
  readonly proposals: Loadable<readonly ProposalView[]>;
}

export type DecisionRequest = Parameters<Client['coach']['decide']>[0];

export interface ProposalsModel {
  readonly store: StoreApi<ProposalsState>;
  load(): Promise<void>;
  decide(request: DecisionRequest): Promise<void>;
}

/** States in which a person's word is awaited. */
export function isAwaiting(state: ProposalState): boolean {
  return state === 'awaiting';
}

export function withProposal(
  proposals: readonly ProposalView[],
  proposal: ProposalView,
): readonly ProposalView[] {
  const isKnown = proposals.some((other) => other.proposalId === proposal.proposalId);
  return isKnown
    ? proposals.map((other) => (other.proposalId === proposal.proposalId ? proposal : other))
    : [proposal, ...proposals];
}

/** Proposals of the workspace and the person's decisions on them. */
export function createProposalsModel(client: Client): ProposalsModel {
  const store = createStore<ProposalsState>(() => ({ proposals: pending }));
  const put = (proposal: ProposalView): void =>
    store.setState((state) => ({ proposals: ready(withProposal(valueOr(state.proposals, []), proposal)) }));
  client.on('proposal.changed', put);
  return {
    store,
    async load() {
      try {
        store.setState({ proposals: ready(await client.coach.list({})) });
      } catch (thrown) {
        store.setState({ proposals: failed(thrown) });
      }
    },
    decide: async (request) => put(await client.coach.decide(request)),
  };
}
