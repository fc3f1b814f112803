import { useState } from 'react';
import { useStore } from 'zustand';
import type { ProposalView } from '../../../shared/contract/coach.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import type { Loadable } from '../../state/loadable.ts';
import { isAwaiting } from '../../state/proposals-model.ts';
import { proposalTitle } from '../proposal/proposal-words.ts';

export type InboxFilter = 'awaiting' | 'all';

export interface InboxView {
  readonly proposals: Loadable<readonly ProposalView[]>;
  readonly numAwaiting: number;
  readonly filter: InboxFilter;
  setFilter(filter: InboxFilter): void;
  open(proposal: ProposalView): void;
  retry(): void;
}

export function useInbox(): InboxView {
  const { proposals, dock } = useWorkbench();
  const state = useStore(proposals.store, (store) => store.proposals);
  const [filter, setFilter] = useState<InboxFilter>('all');
  const all = state.status === 'ready' ? state.value : [];
  const awaiting = all.filter((proposal) => isAwaiting(proposal.state));
  return {
    proposals:
      state.status === 'ready' ? { status: 'ready', value: filter === 'all' ? all : awaiting } : state,
    numAwaiting: awaiting.length,
    filter,
    setFilter,
    open: (proposal) => dock.openProposal(proposal.proposalId, proposalTitle(proposal)),
    retry: () => void proposals.load(),
  };
}
