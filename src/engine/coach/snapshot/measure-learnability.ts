import { countSolved, type SolvedState } from '../../train/solved-starts.ts';
import type { SnapshotLearnability } from './snapshot-schema.ts';

/** One evaluation cannot tell "sometimes" from "always". */
const minEvaluations = 2;

/**
 * How many of the fixed starts are solved in every one, some, or none of the last evaluations, and the mean of p(1-p): what can
 * be learned next lies where success is neither certain nor out of reach. Null before two evaluations.
 */
export function measureLearnability(solved: SolvedState | undefined): SnapshotLearnability | null {
  if (solved === undefined || solved.starts === 0 || solved.evaluations.length < minEvaluations) return null;
  const numEvaluations = solved.evaluations.length;
  const counts = countSolved(solved);
  const always = counts.filter((count) => count === numEvaluations).length;
  const never = counts.filter((count) => count === 0).length;
  // Whole numbers first, so that the order of the starts does not matter.
  const variances = counts.reduce((sum, count) => sum + count * (numEvaluations - count), 0);
  return {
    episodes: solved.starts,
    evaluations: numEvaluations,
    always,
    sometimes: solved.starts - always - never,
    never,
    meanVariance: variances / (numEvaluations ** 2 * solved.starts),
  };
}
