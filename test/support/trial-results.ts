import type { TrialRequest } from '../../src/engine/coach/types.ts';
import type { TrialBranch, TrialResult } from '../../src/engine/train/protocol.ts';

/** A branch that was trained to its end, scored the same in every episode. */
export function branch(score: number, trainedSteps: number, evaluationSteps = 0): TrialBranch {
  return { score, standardError: 0, error: null, trainedSteps, evaluationSteps };
}

/** A branch in which the numbers ran away after some steps. */
export function brokenBranch(trainedSteps: number): TrialBranch {
  const error = { code: 'learner.nonfinite', message: 'loss is NaN' } as const;
  return { score: null, standardError: null, error, trainedSteps, evaluationSteps: 0 };
}

/** A trial whose branches all went to their end, scored by their place. */
export function scored(
  { environments, steps, episodes }: TrialRequest,
  scoreOf: (index: number) => number,
): TrialResult {
  return { branches: environments.map((_, index) => branch(scoreOf(index), steps, 25 * episodes)) };
}
