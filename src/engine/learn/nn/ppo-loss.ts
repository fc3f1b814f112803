import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { chosenLogProb, negativeEntropy } from './categorical.ts';

/** A minibatch of B rows. All are [1,B]; `weights` sum to 1 and are 0 for padded rows. */
export interface PpoBatch {
  readonly actions: Tensor;
  readonly logProbs: Tensor;
  readonly advantages: Tensor;
  /** Targets of the critic, in its (normalised) units. */
  readonly returns: Tensor;
  readonly weights: Tensor;
}

export interface PpoCoefficients {
  readonly clipCoef: number;
  readonly entCoef: number;
  readonly vfCoef: number;
}

/** Names of the rows of `PpoLoss.statistics`. */
export const lossStatistics = ['policy_loss', 'value_loss', 'entropy', 'approx_kl', 'clipfrac'] as const;

export interface PpoLoss {
  /** What is descended. Shape: []. */
  readonly loss: Tensor;
  /** The parts, as means over the valid rows. Shape: [5,1]. */
  readonly statistics: Tensor;
}

/**
 * The clipped surrogate, the squared value error and the entropy bonus, as means over the valid rows.
 * Shape: newLogProbs [N,B], newValues [1,B].
 * Source: Schulman et al. 2017, eq. 7 and 9; approx_kl is the low-variance estimate (r - 1) - log r.
 * The surrogate min(A r, A clip(r, 1-c, 1+c)) is written min(A r, A + c|A|), which is the same and shorter.
 * Differs: the value loss is not clipped (Andrychowicz et al. 2021 found clipping to hurt or do nothing).
 */
export function ppoLoss(
  g: Graph,
  newLogProbs: Tensor,
  newValues: Tensor,
  batch: PpoBatch,
  { clipCoef, entCoef, vfCoef }: PpoCoefficients,
): PpoLoss {
  const { advantages, weights } = batch;
  const logRatio = g.sub(chosenLogProb(g, newLogProbs, batch.actions), batch.logProbs);
  const ratio = g.exp(logRatio);
  const bound = g.max(g.scale(advantages, 1 + clipCoef), g.scale(advantages, 1 - clipCoef));
  const surrogate = g.min(g.mul(advantages, ratio), bound);
  const squaredError = g.square(g.sub(newValues, batch.returns));
  const minusEntropy = negativeEntropy(g, newLogProbs);

  const gain = g.sub(surrogate, g.scale(minusEntropy, entCoef));
  const loss = g.sumAll(g.mul(weights, g.sub(g.scale(squaredError, vfCoef / 2), gain)));

  // One product yields all means: [5,B] weights'.
  const excess = g.sub(ratio, g.scalar(1, ratio.type));
  const isClipped = g.greater(g.square(excess), g.scalar(clipCoef ** 2, ratio.type));
  const rows = [surrogate, squaredError, minusEntropy, g.sub(excess, logRatio), isClipped];
  const signs = g.constant([-1, 0.5, -1, 1, 1], [5, 1], ratio.type);
  const statistics = g.mul(g.matmul(g.concat(rows, 0), weights, { transB: true }), signs);
  return { loss, statistics };
}
