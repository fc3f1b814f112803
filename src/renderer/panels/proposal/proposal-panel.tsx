import type { IDockviewPanelProps } from 'dockview-react';
import { type ComponentProps, useEffect, useRef } from 'react';
import type { ProposalView } from '../../../shared/contract/coach.ts';
import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { hasNothingToPropose } from '../../../shared/contract/proposal-outcome.ts';
import { Badge, Empty, NoticeBox } from '../../components/feedback.tsx';
import { formatTime } from '../../components/format.ts';
import { DiffView } from '../../editor/diff-view.tsx';
import { edlLanguageId } from '../../editor/edl-language-id.ts';
import { DecisionBar } from './decision-bar.tsx';
import { ChangeList, ReasonList, ValidationSection } from './proposal-sections.tsx';
import { proposalTitle, providerName, stateWords } from './proposal-words.ts';
import { RecordSection } from './record-section.tsx';
import { TrialSection } from './trial-section.tsx';
import { type ProposalPanelView, useProposal } from './use-proposal.ts';

/** One proposal: what it says, what it changes, what supports it, and the person's word on it. */
export function ProposalPanel({ params }: IDockviewPanelProps<{ proposalId: string }>) {
  const view = useProposal(params.proposalId);
  const { proposal } = view;
  if (!proposal) {
    return (
      <Empty icon="inbox" title="This proposal is not on record">
        <p>Its study may have been removed from this workspace.</p>
      </Empty>
    );
  }
  const { review } = view;
  const isEditing = review.mode === 'editing';
  return (
    <div className="panel">
      <div className="panel-body">
        <article className="proposal">
          <Head proposal={proposal} view={view} />
          {proposal.body ? (
            <section>
              <h3>Analysis</h3>
              <p className="prose">{proposal.body.analysis}</p>
              <ChangeList changes={proposal.body.changes} />
              {proposal.body.wishes.length > 0 ? (
                <NoticeBox tone="neutral">
                  <span className="notice-text">
                    What it wished for and the language cannot express: {proposal.body.wishes.join('; ')}
                  </span>
                </NoticeBox>
              ) : null}
            </section>
          ) : null}
          {proposal.after === null ? null : (
            <section>
              <h3>{isEditing ? 'Environment text, open to edit' : 'Environment text'}</h3>
              <DiffView
                before={proposal.before}
                after={proposal.edited ?? proposal.after}
                language={edlLanguageId}
                label="Change of the environment text"
                onEdit={isEditing ? view.edit : undefined}
                isHeld={view.isSending}
                diagnostics={view.diagnostics}
              />
              <EditProblems diagnostics={view.diagnostics} />
              {review.mode === 'editing' && view.refusal !== null ? (
                <Refusal proposalId={proposal.proposalId} text={review.text} reasons={view.refusal} />
              ) : null}
            </section>
          )}
          {hasNothingToPropose(proposal) ? null : (
            <>
              <ValidationSection proposalId={proposal.proposalId} validation={proposal.validation} />
              <TrialSection proposal={proposal} />
            </>
          )}
          <RecordSection prompt={proposal.prompt} evidence={view.evidence} />
        </article>
      </div>
      {view.canDecide ? <DecisionBar view={view} /> : null}
    </div>
  );
}

/** Why an edited text was not taken, brought into view: it may lie below the editor's edge. */
function Refusal(props: ComponentProps<typeof ReasonList>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place} className="reasons">
      <ReasonList {...props} />
    </div>
  );
}

/** What is wrong with the edited text, right below it: the editor marks the places. */
function EditProblems({ diagnostics }: { diagnostics: readonly Diagnostic[] }) {
  return diagnostics
    .filter(({ severity }) => severity !== 'hint')
    .map(({ severity, code, message, range: { start } }) => (
      <NoticeBox
        key={`${code} ${start.line}:${start.character} ${message}`}
        tone={severity === 'error' ? 'bad' : 'warning'}
      >
        <span className="notice-text">
          Line {start.line + 1}, column {start.character + 1}: {message} <code className="muted">{code}</code>
        </span>
      </NoticeBox>
    ));
}

function Head({ proposal, view }: { proposal: ProposalView; view: ProposalPanelView }) {
  const { label, tone } = stateWords(proposal, view.run);
  const isCalm = hasNothingToPropose(proposal);
  const { decision } = proposal;
  return (
    <header className="proposal-head">
      <div className="line">
        <h2>{proposalTitle(proposal)}</h2>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="muted">
        {view.studyName ? `Study ${view.studyName} · ` : ''}
        {providerName(proposal)} · {proposal.arm}, seed {proposal.seed}, after round {proposal.round + 1} ·{' '}
        {formatTime(proposal.createdAt)}
      </p>
      {proposal.reason ? <p className="muted">Asked by {proposal.reason}</p> : null}
      {proposal.repairs ? <p className="muted">Second attempt for {proposal.repairs}</p> : null}
      {proposal.failure ? (
        <NoticeBox tone={isCalm ? 'neutral' : 'bad'}>
          <span className="notice-text">
            {proposal.failure.message}{' '}
            {isCalm ? null : <code className="muted">{proposal.failure.code}</code>}
          </span>
        </NoticeBox>
      ) : null}
      {view.tooLate ? (
        <NoticeBox tone="neutral">
          <span className="notice-text">Nobody decided in time. {view.tooLate}</span>
        </NoticeBox>
      ) : null}
      {decision ? (
        <NoticeBox tone={decision.verdict === 'rejected' ? 'neutral' : 'good'}>
          <span className="notice-text">
            {decision.verdict === 'edited'
              ? 'Accepted with edits'
              : decision.verdict === 'accepted'
                ? 'Accepted'
                : 'Rejected'}{' '}
            {decision.author === 'person' ? 'by a person' : 'automatically'} at{' '}
            {formatTime(decision.decidedAt)}
            {decision.note ? `: ${decision.note}` : ''}
          </span>
        </NoticeBox>
      ) : null}
      {proposal.rollback ? (
        <NoticeBox tone="warning">
          <span className="notice-text">
            Rolled back at {formatTime(proposal.rollback.decidedAt)}: {proposal.rollback.note}
          </span>
        </NoticeBox>
      ) : null}
      {decision?.validation ? (
        <ReasonList
          proposalId={proposal.proposalId}
          text={proposal.edited}
          reasons={decision.validation.reasons}
        />
      ) : null}
    </header>
  );
}
