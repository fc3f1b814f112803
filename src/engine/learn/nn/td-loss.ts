import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';

/** What belongs to the M moments of a batch, one column each; a moment that no step follows has 0 everywhere. */
export interface TdBatch {
  /** Of the step that follows, [1,M], as are the next three. */
  readonly rewards: Tensor;
  /** γ, and 0 where the step was the last and what follows is worth nothing. */
  readonly discounts: Tensor;
  /** λ where a further step of the same episode follows, else 0. */
  readonly carry: Tensor;
  /** They sum to 1. */
  readonly weights: Tensor;
  /** Column of the moment after the step; any where there is none. [M] i32. */
  readonly following: Tensor;
}

/** Names of the rows of `TdLoss.statistics`. */
export const tdStatistics = ['td_loss', 'q_taken', 'q_target'] as const;

export interface TdLoss {
  /** Mean squared error over the steps. Shape: []. */
  readonly loss: Tensor;
  /** Means over the steps. Shape: [3,1]. */
  readonly statistics: Tensor;
}

/**
 * What the team's actions were worth, seen from later: y_t = r_t + γ_t [(1 − λ_t) Q_{t+1} + λ_t y_{t+1}], with
 * γ_t = 0 at a terminal step and λ_t = 0 at the last of an episode.
 *
 * With λ > 0 that is y = a + c y(next), a sum along the episode. Put into itself it looks two steps ahead, y = a + c a(next) +
 * c c(next) y(next of next), then four: as many rounds as the number of steps has binary digits, whatever the lengths.
 * Shape: bestQ [1,M], Q of what is best at each moment -> [1,M].
 * Source: Sutton and Barto 2018, equation 12.20; Hillis and Steele 1986 for sums along lists.
 */
export function tdTargets(
  g: Graph,
  { rewards, discounts, carry, following }: Omit<TdBatch, 'weights'>,
  bestQ: Tensor,
  { numSteps, tdLambda }: { readonly numSteps: number; readonly tdLambda: number },
): Tensor {
  const nextQ = g.gather(bestQ, following);
  if (tdLambda === 0) return g.add(rewards, g.mul(discounts, nextQ));
  let sums = g.add(rewards, g.mul(discounts, g.sub(nextQ, g.mul(carry, nextQ))));
  let factors = g.mul(discounts, carry);
  let next = following;
  for (let reach = 1; reach < numSteps; reach *= 2) {
    sums = g.add(sums, g.mul(factors, g.gather(sums, next)));
    factors = g.mul(factors, g.gather(factors, next));
    next = g.reshape(g.gather(g.reshape(next, [1, next.shape[0] as number]), next), next.shape);
  }
  return sums;
}

/** Shape: all [1,M]. Gradients flow through q alone. */
export function tdLoss(g: Graph, q: Tensor, targets: Tensor, weights: Tensor): TdLoss {
  const squaredError = g.square(g.sub(q, g.stopGradient(targets)));
  const statistics = g.matmul(g.concat([squaredError, q, targets], 0), weights, { transB: true });
  return { loss: g.reshape(g.matmul(squaredError, weights, { transB: true }), []), statistics };
}
