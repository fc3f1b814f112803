import { studentProbability, studentQuantile } from '../../shared/std/statistics.ts';
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

type Interval = Pick<Measured, 'low' | 'high' | 'numPairs'>;

/**
 * Range of n figures over their standard deviation: of two exactly, of three to six normal ones as it is to be expected.
 */
const ranges = [Math.SQRT2, 1.693, 2.059, 2.326, 2.534];

/**
 * Standard error of a measured difference, as `concludeTrial` draws intervals: up to six pairs it is their range, which tells the
 * deviation of one (of two pairs exactly); with more it holds 95 % by Student's t. One pair tells nothing: infinite.
 */
export function standardError({ low, high, numPairs }: Interval): number {
  if (numPairs < 2) return Number.POSITIVE_INFINITY;
  const range = ranges[numPairs - 2];
  const errors = range === undefined ? 2 * studentQuantile(numPairs - 1) : range * Math.sqrt(numPairs);
  return (high - low) / errors;
}

/**
 * The probability that the true difference is above 0. Deviations that few pairs tell are themselves uncertain, which Student's t
 * allows for: of two pairs that both gained it is 0.75 or more, and 0.9 where one gained twice as much as the other.
 */
export function probabilityAbove(measured: Pick<Measured, 'meanDifference'> & Interval): number {
  const { meanDifference, numPairs } = measured;
  const error = standardError(measured);
  if (!Number.isFinite(error)) return 0.5;
  if (error === 0) return meanDifference > 0 ? 1 : meanDifference < 0 ? 0 : 0.5;
  return studentProbability(meanDifference / error, numPairs - 1);
}
