import type { DecisionRecord } from '../../store/decisions.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import type { TrialSummary } from '../../store/trials.ts';
import { isAsProposed, trialAsDecided } from '../measured.ts';
import { oneLine } from '../one-line.ts';
import type { CoachStore } from '../types.ts';
import type { SnapshotPastChange } from './snapshot-schema.ts';

type History = Pick<CoachStore, 'texts' | 'proposals' | 'validations' | 'trials' | 'decisions' | 'rollbacks'>;

/** Declarations in force: target, as in "reward crowding", to text. */
type InForce = ReadonlyMap<string, string>;

/** Proposals of earlier rounds that named a change, oldest first, with what became of them. */
export function listPastChanges(
  store: History,
  runId: string,
  beforeRound: number,
  inForce: InForce,
): SnapshotPastChange[] {
  const proposals = store.proposals
    .list({ runId })
    .filter((proposal) => proposal.round < beforeRound && proposal.body !== null)
    .sort((a, b) => a.round - b.round || a.candidate - b.candidate);
  const undone = store.rollbacks.listByRun(runId).filter(({ round }) => round <= beforeRound);
  const undoneIds = new Set(undone.flatMap(({ proposalIds }) => proposalIds));
  const applied = store.decisions
    .listByRun(runId)
    .filter(({ appliedRound }) => appliedRound !== null && appliedRound <= beforeRound)
    .filter(({ proposalId }) => !undoneIds.has(proposalId));
  const standing = listStanding(store, applied, inForce);
  return proposals.map((proposal) => {
    const undoings = undone.filter(({ proposalIds }) => proposalIds.includes(proposal.proposalId));
    return describe(store, proposal, undoings, standing.has(proposal.proposalId));
  });
}

function describe(
  store: History,
  proposal: ProposalRecord,
  undoings: readonly { readonly note: string }[],
  isInForce: boolean,
): SnapshotPastChange {
  const validation = store.validations.find(proposal.proposalId);
  const decision = store.decisions.find(proposal.proposalId);
  const trial = trialAsDecided(store, proposal, decision)?.summary ?? null;
  const codes = validation?.reasons.map(({ code }) => code) ?? [];
  const notes = [decision?.note ?? '', isAsProposed(proposal, decision) ? '' : 'a person changed it'];
  return {
    round: proposal.round,
    candidate: proposal.candidate,
    provider: proposal.provider,
    changes: changesOf(proposal),
    outcome: outcomeOf(proposal.state),
    reasons: [
      ...codes,
      ...notes.filter((note) => note !== ''),
      ...undoings.map(({ note }) => `rolled back: ${note}`),
    ],
    measured: trial === null ? null : figuresOf(trial),
    isInForce,
  };
}

function figuresOf({ meanDifference, low, high, verdict }: TrialSummary): SnapshotPastChange['measured'] {
  return { meanDifference, low, high, verdict };
}

/**
 * Of the proposals that were taken over and not undone, those that still stand: what they name is there as it was decided, and no
 * later decision was about the same. Edited texts may change more than the proposal names, so it is texts that are compared.
 */
function listStanding(
  store: History,
  applied: readonly DecisionRecord[],
  inForce: InForce,
): ReadonlySet<string> {
  const inOrder = applied.toSorted((a, b) => (a.appliedRound ?? 0) - (b.appliedRound ?? 0));
  const standing = new Set<string>();
  const overtaken = new Set<string>();
  for (const decision of inOrder.toReversed()) {
    const changes = changesOf(store.proposals.get(decision.proposalId));
    const isThere = isWrittenIn(decidedText(store, decision), inForce);
    if (changes.every((change) => !overtaken.has(change.target) && isThere(change)))
      standing.add(decision.proposalId);
    for (const { target } of changes) overtaken.add(target);
  }
  return standing;
}

function decidedText({ texts }: History, { textHash }: DecisionRecord): string {
  return textHash === null ? '' : oneLine(texts.get(textHash));
}

function isWrittenIn(decided: string, inForce: InForce) {
  return ({ op, target }: SnapshotPastChange['changes'][number]): boolean => {
    const text = inForce.get(oneLine(target));
    if (op === 'remove' || text === undefined) return op === 'remove' && text === undefined;
    // "set x = 4" does not stand in "set x = 40".
    const [, ...after] = decided.split(oneLine(text));
    return after.some((rest) => !/^[\w.]/.test(rest));
  };
}

/** What a proposal changes, without its text. */
export function changesOf({ body }: Pick<ProposalRecord, 'body'>): SnapshotPastChange['changes'] {
  return (body?.changes ?? []).map(({ op, target }) => ({ op, target }));
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
