import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { chosenLogProb, negativeEntropy } from './categorical.ts';

/** A minibatch of B rows. All are [1,B]. */
export interface PpoBatch {
  readonly actions: Tensor;
  readonly logProbs: Tensor;
  readonly advantages: Tensor;
  /** Targets of the critic, in its (normalised) units. */
  readonly returns: Tensor;
  /** Sum to 1; 0 for padded rows. */
  readonly weights: Tensor;
  /** As `weights`, and 0 for agents that could not act: they have a value, but no choice to be judged by. */
  readonly policyWeights: Tensor;
  /** Values of the rollout, in the critic's units; with `clipVloss` only. */
  readonly oldValues?: Tensor;
}

export interface PpoCoefficients {
  readonly clipCoef: number;
  readonly entCoef: number;
  readonly vfCoef: number;
  /** Values are kept within clipCoef of `oldValues`, as far as that is worse. */
  readonly clipVloss: boolean;
  /** Error beyond which the value loss is linear; null: nowhere. */
  readonly huberDelta: number | null;
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
 * Value clipping and the Huber loss are those of Yu et al. 2022 (MAPPO); off by default, since Andrychowicz et al. 2021 found
 * clipping to hurt or do nothing.
 */
export function ppoLoss(
  g: Graph,
  newLogProbs: Tensor,
  newValues: Tensor,
  batch: PpoBatch,
  coefficients: PpoCoefficients,
): PpoLoss {
  const { clipCoef, entCoef, vfCoef } = coefficients;
  const { advantages, weights, policyWeights } = batch;
  const logRatio = g.sub(chosenLogProb(g, newLogProbs, batch.actions), batch.logProbs);
  const ratio = g.exp(logRatio);
  const bound = g.max(g.scale(advantages, 1 + clipCoef), g.scale(advantages, 1 - clipCoef));
  const surrogate = g.min(g.mul(advantages, ratio), bound);
  const squaredError = valueErrors(g, newValues, batch, coefficients);
  const minusEntropy = negativeEntropy(g, newLogProbs);

  const gain = g.sub(surrogate, g.scale(minusEntropy, entCoef));
  const costs = g.sub(g.mul(weights, g.scale(squaredError, vfCoef / 2)), g.mul(policyWeights, gain));
  const loss = g.sumAll(costs);

  // One product yields the means of all five; the value's are over all rows, the others' over those that could act.
  const excess = g.sub(ratio, g.scalar(1, ratio.type));
  const isClipped = g.greater(g.square(excess), g.scalar(clipCoef ** 2, ratio.type));
  const rows = [surrogate, squaredError, minusEntropy, g.sub(excess, logRatio), isClipped];
  const means = (by: Tensor): Tensor => g.matmul(g.concat(rows, 0), by, { transB: true });
  const signs = (values: readonly number[]): Tensor => g.constant(values, [5, 1], ratio.type);
  const statistics = g.add(
    g.mul(means(policyWeights), signs([-1, 0, -1, 1, 1])),
    g.mul(means(weights), signs([0, 0.5, 0, 0, 0])),
  );
  return { loss, statistics };
}

/** Squared errors of the values, or twice their Huber loss. Shape: [1,B]. */
function valueErrors(
  g: Graph,
  newValues: Tensor,
  { returns, oldValues }: PpoBatch,
  { clipCoef, clipVloss, huberDelta }: PpoCoefficients,
): Tensor {
  const errors = (values: Tensor): Tensor => {
    const error = g.sub(values, returns);
    return huberDelta === null ? g.square(error) : doubleHuber(g, error, huberDelta);
  };
  if (!clipVloss) return errors(newValues);
  if (oldValues === undefined) throw new RangeError('a clipped value loss needs the values of the rollout');
  const clipped = g.add(oldValues, g.clip(g.sub(newValues, oldValues), -clipCoef, clipCoef));
  return g.max(errors(newValues), errors(clipped));
}

/** x² up to |x| = delta, then 2 delta |x| - delta²: q² + 2 delta (|x| - q) with q = min(|x|, delta). */
function doubleHuber(g: Graph, x: Tensor, delta: number): Tensor {
  const size = g.abs(x);
  const inner = g.min(size, g.scalar(delta, x.type));
  return g.add(g.square(inner), g.scale(g.sub(size, inner), 2 * delta));
}
