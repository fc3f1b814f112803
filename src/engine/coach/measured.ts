import type { TrialRecord } from '../store/index.ts';

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
