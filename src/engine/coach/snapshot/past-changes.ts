import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachStore } from '../types.ts';
import type { SnapshotPastChange } from './snapshot-schema.ts';

type History = Pick<CoachStore, 'proposals' | 'validations' | 'trials' | 'decisions' | 'rollbacks'>;

/** Proposals of earlier rounds that named a change, oldest first, with what became of them. */
export function listPastChanges(store: History, runId: string, beforeRound: number): SnapshotPastChange[] {
  return store.proposals
    .list({ runId })
    .filter((proposal) => proposal.round < beforeRound && proposal.body !== null)
    .sort((a, b) => a.round - b.round || a.candidate - b.candidate)
    .map((proposal) => describe(store, proposal, beforeRound));
}

function describe(store: History, proposal: ProposalRecord, beforeRound: number): SnapshotPastChange {
  const trial = store.trials.find(proposal.proposalId)?.summary ?? null;
  const validation = store.validations.find(proposal.proposalId);
  const decision = store.decisions.find(proposal.proposalId);
  const undoings = store.rollbacks
    .listByRun(proposal.runId)
    .filter(({ round, proposalIds }) => round <= beforeRound && proposalIds.includes(proposal.proposalId))
    .map(({ note }) => `rolled back: ${note}`);
  const codes = validation?.reasons.map(({ code }) => code) ?? [];
  return {
    round: proposal.round,
    provider: proposal.provider,
    changes: (proposal.body?.changes ?? []).map(({ op, target }) => ({ op, target })),
    outcome: outcomeOf(proposal.state),
    reasons: [...codes, ...notesOf(decision?.note), ...undoings],
    measured:
      trial === null ? null : { meanDifference: trial.meanDifference, low: trial.low, high: trial.high },
  };
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
