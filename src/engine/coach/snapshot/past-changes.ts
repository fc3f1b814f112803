import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachStore } from '../types.ts';
import type { SnapshotPastChange } from './snapshot-schema.ts';

type History = Pick<CoachStore, 'proposals' | 'validations' | 'trials' | 'decisions' | 'rollbacks'>;

/** Targets of the declarations in force, as in "reward crowding". */
type Targets = ReadonlySet<string>;

/** Proposals of earlier rounds that named a change, oldest first, with what became of them. */
export function listPastChanges(
  store: History,
  runId: string,
  beforeRound: number,
  inForce: Targets,
): SnapshotPastChange[] {
  const proposals = store.proposals
    .list({ runId })
    .filter((proposal) => proposal.round < beforeRound && proposal.body !== null)
    .sort((a, b) => a.round - b.round || a.candidate - b.candidate);
  const undone = store.rollbacks.listByRun(runId).filter(({ round }) => round <= beforeRound);
  return proposals.map((proposal, index) => {
    const undoings = undone.filter(({ proposalIds }) => proposalIds.includes(proposal.proposalId));
    const isInForce = undoings.length === 0 && holds(proposal, proposals.slice(index + 1), inForce);
    return describe(store, proposal, undoings, isInForce);
  });
}

function describe(
  store: History,
  proposal: ProposalRecord,
  undoings: readonly { readonly note: string }[],
  isInForce: boolean,
): SnapshotPastChange {
  const trial = store.trials.find(proposal.proposalId)?.summary ?? null;
  const validation = store.validations.find(proposal.proposalId);
  const decision = store.decisions.find(proposal.proposalId);
  const codes = validation?.reasons.map(({ code }) => code) ?? [];
  return {
    round: proposal.round,
    candidate: proposal.candidate,
    provider: proposal.provider,
    changes: changesOf(proposal),
    outcome: outcomeOf(proposal.state),
    reasons: [...codes, ...notesOf(decision?.note), ...undoings.map(({ note }) => `rolled back: ${note}`)],
    measured:
      trial === null ? null : { meanDifference: trial.meanDifference, low: trial.low, high: trial.high },
    isInForce,
  };
}

/** Whether what was taken over still stands: what it declares is there, and nobody changed it since. */
function holds(proposal: ProposalRecord, later: readonly ProposalRecord[], inForce: Targets): boolean {
  if (!isTaken(proposal)) return false;
  const overtaken = new Set(
    later.filter(isTaken).flatMap((each) => changesOf(each).map(({ target }) => target)),
  );
  return changesOf(proposal).every(
    ({ op, target }) => !overtaken.has(target) && inForce.has(target) === (op !== 'remove'),
  );
}

function isTaken({ state }: ProposalRecord): boolean {
  return state === 'accepted' || state === 'edited';
}

/** What a proposal changes, without its text. */
export function changesOf({ body }: Pick<ProposalRecord, 'body'>): SnapshotPastChange['changes'] {
  return (body?.changes ?? []).map(({ op, target }) => ({ op, target }));
}

function notesOf(note: string | undefined): string[] {
  return note === undefined || note === '' ? [] : [note];
}

function outcomeOf(state: ProposalRecord['state']): SnapshotPastChange['outcome'] {
  switch (state) {
    case 'accepted':
    case 'edited':
    case 'rejected':
    case 'invalid':
    case 'unparsed':
      return state;
    case 'failed':
      return 'unparsed';
    default:
      return 'waiting';
  }
}
