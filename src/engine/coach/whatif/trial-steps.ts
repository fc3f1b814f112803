import type { TrialFailure, TrialRecord } from '../../store/trials.ts';

/** What one pair of a trial took: steps that are charged, and those of its scores, which are not. */
export type TrialSteps = Pick<TrialFailure, 'chargedSteps' | 'evaluationSteps'>;

/** Of every pair of a trial, and of the one in which training broke down. */
export function stepsOfTrial(trial: TrialRecord | null): readonly TrialSteps[] {
  if (trial === null) return [];
  return trial.failure === null ? trial.pairs : [...trial.pairs, trial.failure];
}
