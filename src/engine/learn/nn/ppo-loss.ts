import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { chosenLogProb, entropy } from './categorical.ts';

/** A minibatch of B rows. All are [B,1] unless noted; `weights` [1,B] sum to 1, padded rows weigh 0. */
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

/** Scalars of one minibatch; `loss` is what is descended. Shape: all []. */
export interface PpoLoss {
  readonly loss: Tensor;
  readonly policyLoss: Tensor;
  readonly valueLoss: Tensor;
  readonly entropy: Tensor;
  readonly approxKl: Tensor;
  readonly clipfrac: Tensor;
}

/**
 * The clipped surrogate, the squared value error and the entropy bonus, as means over the valid rows.
 * Shape: newLogProbs [B,N], newValues [B,1].
 * Source: Schulman et al. 2017, eq. 7 and 9; approx_kl is the low-variance estimate (r - 1) - log r.
 * Differs: the value loss is not clipped (Andrychowicz et al. 2021 found clipping to hurt or do nothing).
 */
export function ppoLoss(
  g: Graph,
  newLogProbs: Tensor,
  newValues: Tensor,
  batch: PpoBatch,
  { clipCoef, entCoef, vfCoef }: PpoCoefficients,
): PpoLoss {
  const type = newValues.type;
  const one = g.scalar(1, type);
  const mean = (x: Tensor): Tensor => g.reshape(g.matmul(batch.weights, x), []);

  const logRatio = g.sub(chosenLogProb(g, newLogProbs, batch.actions), batch.logProbs);
  const ratio = g.exp(logRatio);
  const surrogate = g.min(
    g.mul(batch.advantages, ratio),
    g.mul(batch.advantages, g.clip(ratio, 1 - clipCoef, 1 + clipCoef)),
  );
  const policyLoss = mean(g.neg(surrogate));
  const error = g.sub(newValues, batch.returns);
  const valueLoss = mean(g.scale(g.mul(error, error), 0.5));
  const meanEntropy = mean(entropy(g, newLogProbs));
  const loss = g.add(g.sub(policyLoss, g.scale(meanEntropy, entCoef)), g.scale(valueLoss, vfCoef));

  const excess = g.sub(ratio, one);
  const limit = g.scalar(clipCoef, type);
  return {
    loss,
    policyLoss,
    valueLoss,
    entropy: meanEntropy,
    approxKl: mean(g.sub(excess, logRatio)),
    clipfrac: mean(g.add(g.greater(excess, limit), g.less(excess, g.neg(limit)))),
  };
}
