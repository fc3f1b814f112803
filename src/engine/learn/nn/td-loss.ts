import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';

/** Padded episodes: L steps of B of them, in columns t·B + b. All are [1,L·B]. */
export interface TdBatch {
  readonly rewards: Tensor;
  /** γ, and 0 where the step was the last and what follows is worth nothing. */
  readonly discounts: Tensor;
  /** λ where a step of the same episode follows, else 0. */
  readonly carry: Tensor;
  /** They sum to 1 and are 0 for padding. */
  readonly weights: Tensor;
}

/** Names of the rows of `TdLoss.statistics`. */
export const tdStatistics = ['td_loss', 'q_taken', 'q_target'] as const;

export interface TdLoss {
  /** Mean squared error over the valid steps. Shape: []. */
  readonly loss: Tensor;
  /** Means over the valid steps. Shape: [3,1]. */
  readonly statistics: Tensor;
}

/**
 * What the team's actions were worth, seen from later: y_t = r_t + γ_t [(1 − λ_t) Q_{t+1} + λ_t y_{t+1}], with
 * γ_t = 0 at a terminal step and λ_t = 0 at the last of an episode.
 * Shape: nextQ [1,L·B], Q of the step after -> [1,L·B]. With λ = 0 (`numSteps` not needed): r + γ Q.
 * Source: Sutton and Barto 2018, equation 12.20.
 */
export function tdTargets(
  g: Graph,
  { rewards, discounts, carry }: Omit<TdBatch, 'weights'>,
  nextQ: Tensor,
  { numSteps, tdLambda }: { readonly numSteps: number; readonly tdLambda: number },
): Tensor {
  if (tdLambda === 0) return g.add(rewards, g.mul(discounts, nextQ));
  const width = (nextQ.shape[1] as number) / numSteps;
  const cut = (x: Tensor): readonly Tensor[] =>
    g.split(
      x,
      Array.from({ length: numSteps }, () => width),
      1,
    );
  const [r, discount, lambda, next] = [rewards, discounts, carry, nextQ].map(cut) as [
    readonly Tensor[],
    readonly Tensor[],
    readonly Tensor[],
    readonly Tensor[],
  ];
  const targets: Tensor[] = [];
  for (let t = numSteps - 1; t >= 0; t--) {
    const q = next[t] as Tensor;
    const later = targets[0];
    const mixed = later ? g.add(q, g.mul(lambda[t] as Tensor, g.sub(later, q))) : q;
    targets.unshift(g.add(r[t] as Tensor, g.mul(discount[t] as Tensor, mixed)));
  }
  return g.concat(targets, 1);
}

/** Shape: q and targets [1,L·B], weights [1,L·B]. Gradients flow through q alone. */
export function tdLoss(g: Graph, q: Tensor, targets: Tensor, weights: Tensor): TdLoss {
  const squaredError = g.square(g.sub(q, g.stopGradient(targets)));
  const statistics = g.matmul(g.concat([squaredError, q, targets], 0), weights, { transB: true });
  return { loss: g.sumAll(g.mul(weights, squaredError)), statistics };
}
