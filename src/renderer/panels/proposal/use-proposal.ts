import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ModelCallView, ProposalView, ValidationReason } from '../../../shared/contract/coach.ts';
import type { Diagnostic } from '../../../shared/contract/edl.ts';
import type { RunView } from '../../../shared/contract/runs.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { failed, type Loadable, pending, ready, valueOr } from '../../state/loadable.ts';
import { isAwaiting, isDecidable, whyTooLate } from '../../state/proposals-model.ts';
import { studyLabel } from '../../state/study-label.ts';
import { type RefusedText, refusalFor, refusalOf } from './refusal.ts';
import { useTextDiagnostics } from './use-edited-text.ts';

export interface ProposalEvidence {
  readonly snapshot: string;
  readonly modelCalls: readonly ModelCallView[];
}

/** What the person is doing about the proposal. */
export type Review = { readonly mode: 'reading' } | { readonly mode: 'editing'; readonly text: string };

export interface ProposalPanelView {
  readonly proposal: ProposalView | null;
  readonly evidence: Loadable<ProposalEvidence>;
  /** Study the proposal belongs to, in words; empty while it is not known. */
  readonly studyName: string;
  readonly run: RunView | undefined;
  readonly canDecide: boolean;
  /** Why a decision that is still open would have no effect; null where it would. */
  readonly tooLate: string | null;
  readonly review: Review;
  readonly isSending: boolean;
  /** Of the edited text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why recorded experience speaks against the edited text as it was sent; null while it does not. */
  readonly refusal: readonly ValidationReason[] | null;
  readonly note: string;
  setNote(note: string): void;
  startEditing(): void;
  stopEditing(): void;
  edit(text: string): void;
  /** With `overrule` an edited text is taken in spite of a refusal. */
  decide(verdict: 'accepted' | 'rejected' | 'edited', overrule?: boolean): void;
}

export function useProposal(proposalId: string): ProposalPanelView {
  const { client, proposals, studies, attempt } = useWorkbench();
  const all = useStore(proposals.store, (state) => state.proposals);
  const proposal = valueOr(all, []).find((other) => other.proposalId === proposalId) ?? null;
  const [evidence, setEvidence] = useState<Loadable<ProposalEvidence>>(pending);
  const [review, setReview] = useState<Review>({ mode: 'reading' });
  const [isSending, setSending] = useState(false);
  const [note, setNote] = useState('');
  const [refused, setRefused] = useState<RefusedText | null>(null);
  const known = useStore(studies.store, (store) => store.studies);
  const study = valueOr(known, []).find((other) => other.studyId === proposal?.studyId);
  const run = study?.runs.find((other) => other.runId === proposal?.runId);
  const editedText = review.mode === 'editing' ? review.text : null;
  const diagnostics = useTextDiagnostics(editedText);
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

  const decide: ProposalPanelView['decide'] = (verdict, overrule = false) => {
    const edited = verdict === 'edited' && editedText !== null ? { text: editedText } : {};
    setSending(true);
    void attempt('The decision was not recorded', async () => {
      try {
        await proposals.decide({ proposalId, verdict, note, overrule, ...edited });
        setReview({ mode: 'reading' });
      } catch (thrown) {
        const reasons = refusalOf(thrown);
        if (reasons === null || editedText === null) throw thrown;
        setRefused({ text: editedText, reasons });
      }
    }).then(() => setSending(false));
  };

  const canDecide = proposal !== null && isDecidable(proposal, run);

  return {
    proposal,
    evidence,
    studyName: study ? studyLabel(study) : '',
    run,
    canDecide,
    tooLate: proposal !== null && isAwaiting(proposal.state) ? whyTooLate(run) : null,
    // Nothing is left to edit for once the decision could not take effect any more.
    review: canDecide ? review : { mode: 'reading' },
    isSending,
    diagnostics,
    refusal: refusalFor(editedText, refused),
    note,
    setNote,
    startEditing: () => setReview({ mode: 'editing', text: proposal?.after ?? proposal?.before ?? '' }),
    stopEditing: () => setReview({ mode: 'reading' }),
    edit: (text) =>
      setReview((current) => (current.mode === 'editing' ? { mode: 'editing', text } : current)),
    decide,
  };
}
