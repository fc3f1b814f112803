import { Badge, Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { formatDifference, formatTime } from '../../components/format.ts';
import { studyLabel } from '../../state/study-label.ts';
import { proposalTitle, providerShortName, stateWords } from '../proposal/proposal-words.ts';
import type { InboxFilter, InboxRow } from './inbox-groups.ts';
import { type InboxView, useInbox } from './use-inbox.ts';

const filters: readonly { readonly filter: InboxFilter; readonly label: string }[] = [
  { filter: 'all', label: 'All' },
  { filter: 'awaiting', label: 'Waiting' },
];

/** Proposals of the coaches by study, newest first. */
export function InboxPanel() {
  const view = useInbox();
  if (view.groups.status === 'pending') return <Waiting what="Reading proposals" />;
  if (view.groups.status === 'failed')
    return <Failure title="Proposals cannot be read" error={view.groups.error} onRetry={view.retry} />;
  return (
    <div className="panel">
      <div className="panel-toolbar">
        <div className="segmented">
          {filters.map(({ filter, label }) => (
            <button
              key={filter}
              type="button"
              aria-pressed={view.filter === filter}
              onClick={() => view.setFilter(filter)}
            >
              {filter === 'awaiting' && view.numAwaiting > 0 ? `${label} (${view.numAwaiting})` : label}
            </button>
          ))}
        </div>
        <StudyFilter view={view} />
      </div>
      <section className="panel-body" aria-label="Proposals">
        {view.groups.value.map((group) => (
          <section key={group.studyId} aria-label={`Proposals of ${group.label}`}>
            <h3 className="list-head truncate" title={group.label}>
              {group.label}
            </h3>
            <ul>
              {group.rows.map((row) => (
                <li key={row.proposal.proposalId}>
                  <ProposalRow row={row} onOpen={() => view.open(row.proposal)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {view.groups.value.length === 0 ? (
          <Empty
            icon="inbox"
            title={view.filter === 'awaiting' ? 'Nothing waits for you' : 'No proposals yet'}
          >
            <p>
              A coach proposes changes between rounds; with manual review they wait here while training goes
              on.
            </p>
          </Empty>
        ) : null}
      </section>
    </div>
  );
}

/** Offered once there is something to choose from. */
function StudyFilter({ view }: { view: InboxView }) {
  if (view.studies.length < 2) return null;
  return (
    <select
      className="select grow"
      aria-label="Study whose proposals are shown"
      value={view.studyId ?? ''}
      onChange={(event) => view.setStudyId(event.target.value || null)}
    >
      <option value="">All studies</option>
      {view.studies.map((study) => (
        <option key={study.studyId} value={study.studyId}>
          {studyLabel(study)}
        </option>
      ))}
    </select>
  );
}

function ProposalRow({ row: { proposal, run }, onOpen }: { row: InboxRow; onOpen: () => void }) {
  const { label, tone } = stateWords(proposal, run);
  return (
    <button type="button" className="list-row" onClick={onOpen}>
      <span className="line">
        <strong className="grow truncate">{proposalTitle(proposal)}</strong>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="line muted">
        <span className="grow">
          {providerShortName(proposal)} · {proposal.arm}, seed {proposal.seed}, round {proposal.round + 1} ·{' '}
          {formatTime(proposal.createdAt)}
        </span>
        {proposal.trial?.state === 'concluded' ? (
          <span title="Mean difference to the control in the what-if trial">
            {formatDifference(proposal.trial.meanDifference)}
          </span>
        ) : null}
      </span>
    </button>
  );
}
