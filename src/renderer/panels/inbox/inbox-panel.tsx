import type { ProposalView } from '../../../shared/contract/coach.ts';
import { Badge, Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { formatDifference } from '../../components/format.ts';
import { proposalTitle, providerShortName, stateWords } from '../proposal/proposal-words.ts';
import { type InboxFilter, useInbox } from './use-inbox.ts';

const filters: readonly { readonly filter: InboxFilter; readonly label: string }[] = [
  { filter: 'all', label: 'All' },
  { filter: 'awaiting', label: 'Waiting' },
];

/** Proposals of the coaches, newest first. */
export function InboxPanel() {
  const view = useInbox();
  if (view.proposals.status === 'pending') return <Waiting what="Reading proposals" />;
  if (view.proposals.status === 'failed')
    return <Failure title="Proposals cannot be read" error={view.proposals.error} onRetry={view.retry} />;
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
      </div>
      <ul className="panel-body" aria-label="Proposals">
        {view.proposals.value.map((proposal) => (
          <li key={proposal.proposalId}>
            <ProposalRow proposal={proposal} onOpen={() => view.open(proposal)} />
          </li>
        ))}
        {view.proposals.value.length === 0 ? (
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
      </ul>
    </div>
  );
}

function ProposalRow({ proposal, onOpen }: { proposal: ProposalView; onOpen: () => void }) {
  const { label, tone } = stateWords(proposal.state);
  return (
    <button type="button" className="list-row" onClick={onOpen}>
      <span className="line">
        <strong className="grow truncate">{proposalTitle(proposal)}</strong>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="line muted">
        <span className="grow truncate">
          {providerShortName(proposal)} · {proposal.arm}, seed {proposal.seed}, round {proposal.round + 1}
        </span>
        {proposal.trial ? (
          <span title="Mean difference to the control in the what-if trial">
            {formatDifference(proposal.trial.meanDifference)}
          </span>
        ) : null}
      </span>
    </button>
  );
}
