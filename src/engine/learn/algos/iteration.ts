import type { CancelSignal } from '../../../shared/rl/learner.ts';
import type { LearnerConfig } from '../../../shared/rl/learner-config.ts';
import { AppError } from '../../../shared/std/app-error.ts';

/** Throws: run.cancelled when aborted. */
export function throwIfAborted(signal: CancelSignal | undefined): void {
  if (signal?.aborted) throw new AppError('run.cancelled', 'Training was cancelled inside an iteration.');
}

/** The learning rate after so many env-steps of a run, annealed where that is asked for. */
export function learningRateAt(
  { annealLr, learningRate }: Pick<LearnerConfig, 'annealLr' | 'learningRate'>,
  trainedSteps: number,
  totalSteps: number,
): number {
  const progress = annealLr ? trainedSteps / totalSteps : 0;
  return learningRate * Math.max(1 - progress, 0);
}
