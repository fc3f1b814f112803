import type { DecisionRecord, ProposalRecord, StoreReader, TrialRecord } from '../store/index.ts';

/** What a trial said of a candidate: candidate minus control on the objective. */
export interface Measured {
  readonly meanDifference: number;
  readonly low: number;
  readonly high: number;
  /** Pairs that decided. */
  readonly numPairs: number;
}

/** Null where it was never tried, or the trial broke down. */
export function measuredBy(trial: Pick<TrialRecord, 'summary' | 'pairs'> | null): Measured | null {
  const summary = trial?.summary ?? null;
  if (trial === null || summary === null) return null;
  const { meanDifference, low, high } = summary;
  // Not kept apart in the oldest records, where all pairs decided.
  return { meanDifference, low, high, numPairs: summary.numPairs ?? trial.pairs.length };
}

type Decided = Pick<DecisionRecord, 'verdict' | 'textHash'> | null;

/** Whether a decision was about the change as it was proposed: a person may take another text than the one that was tried. */
export function isAsProposed({ afterHash }: Pick<ProposalRecord, 'afterHash'>, decision: Decided): boolean {
  return decision?.verdict !== 'edited' || decision.textHash === afterHash;
}

/**
 * The trial of what was decided on. Of a text that a person edited, it is that of a proposal of the run which led from the same
 * text to this one; null where none did: what such a change does, nobody measured.
 */
export function trialAsDecided(
  { proposals, trials }: Pick<StoreReader, 'proposals' | 'trials'>,
  proposal: ProposalRecord,
  decision: Decided,
): TrialRecord | null {
  if (isAsProposed(proposal, decision)) return trials.find(proposal.proposalId);
  const { runId, beforeHash } = proposal;
  const twins = proposals
    .list({ runId })
    .filter((other) => other.beforeHash === beforeHash && other.afterHash === decision?.textHash)
    .map(({ proposalId }) => trials.find(proposalId));
  return twins.find((trial) => trial !== null && trial.summary !== null) ?? null;
}
