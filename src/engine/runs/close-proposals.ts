import { rejectAutomatically } from '../coach/stages/reject.ts';
import { readProposalView } from '../store/index.ts';
import type { RunServices } from './services.ts';

const undecidedStates: ReadonlySet<string> = new Set(['asked', 'validated', 'trying', 'awaiting']);

/** Turns down what a run that is over leaves undecided: nothing is trained any more that it could change. */
export function closeProposals({ store, now, emit }: RunServices, runId: string): void {
  const onChange = (proposalId: string): void =>
    emit('proposal.changed', readProposalView(store, proposalId));
  for (const { proposalId, state } of store.proposals.list({ runId })) {
    if (undecidedStates.has(state))
      rejectAutomatically({ store, now, onChange }, proposalId, 'the run ended');
  }
}
