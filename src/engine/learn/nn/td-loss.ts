import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';

/** Padded episodes: L steps in all, step by step, the first episodes going on where they become fewer. All are [1,L]. */
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
 * Shape: nextQ [1,L], Q of the step after; widths: how many of the L belong to each step -> [1,L].
 * Source: Sutton and Barto 2018, equation 12.20.
 */
export function tdTargets(
  g: Graph,
  { rewards, discounts, carry }: Omit<TdBatch, 'weights'>,
  nextQ: Tensor,
  { widths, tdLambda }: { readonly widths: readonly number[]; readonly tdLambda: number },
): Tensor {
  if (tdLambda === 0) return g.add(rewards, g.mul(discounts, nextQ));
  const cut = (x: Tensor): readonly Tensor[] => g.split(x, widths, 1);
  const [r, discount, lambda, next] = [rewards, discounts, carry, nextQ].map(cut) as [
    readonly Tensor[],
    readonly Tensor[],
    readonly Tensor[],
    readonly Tensor[],
  ];
  const targets: Tensor[] = [];
  for (let t = widths.length - 1; t >= 0; t--) {
    const mixed = mixLater(g, next[t] as Tensor, lambda[t] as Tensor, targets[0]);
    targets.unshift(g.add(r[t] as Tensor, g.mul(discount[t] as Tensor, mixed)));
  }
  return g.concat(targets, 1);
}

/** (1 − λ) q + λ later, where `later` may be of the first columns only, or of none. */
function mixLater(g: Graph, q: Tensor, lambda: Tensor, later: Tensor | undefined): Tensor {
  if (!later) return q;
  const [count, width] = [later.shape[1] as number, q.shape[1] as number];
  if (count === width) return g.add(q, g.mul(lambda, g.sub(later, q)));
  const [going, over] = g.split(q, [count, width - count], 1) as [Tensor, Tensor];
  const weight = g.split(lambda, [count, width - count], 1)[0] as Tensor;
  return g.concat([mixLater(g, going, weight, later), over], 1);
}

/** Shape: all [1,L]. Gradients flow through q alone. */
export function tdLoss(g: Graph, q: Tensor, targets: Tensor, weights: Tensor): TdLoss {
  const squaredError = g.square(g.sub(q, g.stopGradient(targets)));
  const statistics = g.matmul(g.concat([squaredError, q, targets], 0), weights, { transB: true });
  return { loss: g.sumAll(g.mul(weights, squaredError)), statistics };
}
