import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ProposalState, ProposalView } from '../../shared/contract/coach.ts';
import type { Client } from '../../shared/contract/index.ts';
import type { RunView } from '../../shared/contract/runs.ts';
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

/** Why a decision could no longer take effect in the run; null while it can. A stopped run may be resumed. */
export function whyTooLate(run: RunView | undefined): string | null {
  if (run === undefined) return null;
  if (run.state === 'finished')
    return 'Its run has finished: no round is left in which it could take effect.';
  if (run.nextBoundary === null)
    return 'Its run is in the last round: no boundary is left at which it could take effect.';
  return null;
}

/** Whether a person's word on the proposal is awaited and would still count. */
export function isDecidable(proposal: ProposalView, run: RunView | undefined): boolean {
  return isAwaiting(proposal.state) && whyTooLate(run) === null;
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
