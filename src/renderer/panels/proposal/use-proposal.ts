import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ModelCallView, ProposalView } from '../../../shared/contract/coach.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { failed, type Loadable, pending, ready, valueOr } from '../../state/loadable.ts';
import { isAwaiting } from '../../state/proposals-model.ts';

export interface ProposalEvidence {
  readonly snapshot: string;
  readonly modelCalls: readonly ModelCallView[];
}

/** What the person is doing about the proposal. */
export type Review =
  | { readonly mode: 'reading' }
  | { readonly mode: 'editing'; readonly text: string }
  | { readonly mode: 'sending' };

export interface ProposalPanelView {
  readonly proposal: ProposalView | null;
  readonly evidence: Loadable<ProposalEvidence>;
  readonly canDecide: boolean;
  readonly review: Review;
  readonly note: string;
  setNote(note: string): void;
  startEditing(): void;
  stopEditing(): void;
  edit(text: string): void;
  decide(verdict: 'accepted' | 'rejected' | 'edited'): void;
}

export function useProposal(proposalId: string): ProposalPanelView {
  const { client, proposals, attempt } = useWorkbench();
  const all = useStore(proposals.store, (state) => state.proposals);
  const proposal = valueOr(all, []).find((other) => other.proposalId === proposalId) ?? null;
  const [evidence, setEvidence] = useState<Loadable<ProposalEvidence>>(pending);
  const [review, setReview] = useState<Review>({ mode: 'reading' });
  const [note, setNote] = useState('');
  const state = proposal?.state;

  // Dependencies: a later state has more evidence
  useEffect(() => {
    let isCurrent = true;
    client.coach.get({ proposalId }).then(
      ({ snapshot, modelCalls }) => isCurrent && setEvidence(ready({ snapshot, modelCalls })),
      (error: unknown) => isCurrent && setEvidence(failed(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, proposalId, state]);

  const decide: ProposalPanelView['decide'] = (verdict) => {
    const text = review.mode === 'editing' ? review.text : undefined;
    const edited = verdict === 'edited' && text !== undefined ? { text } : {};
    setReview({ mode: 'sending' });
    void attempt('The decision was not recorded', () =>
      proposals.decide({ proposalId, verdict, note, ...edited }),
    ).then((isDone) => {
      setReview(isDone || text === undefined ? { mode: 'reading' } : { mode: 'editing', text });
    });
  };

  return {
    proposal,
    evidence,
    canDecide: proposal !== null && isAwaiting(proposal.state),
    review,
    note,
    setNote,
    startEditing: () => setReview({ mode: 'editing', text: proposal?.after ?? proposal?.before ?? '' }),
    stopEditing: () => setReview({ mode: 'reading' }),
    edit: (text) =>
      setReview((current) => (current.mode === 'editing' ? { mode: 'editing', text } : current)),
    decide,
  };
}
