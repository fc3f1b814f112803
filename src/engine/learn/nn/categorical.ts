import type { Graph } from '../graph/graph.ts';
import type { FloatType, Tensor } from '../graph/node.ts';

/** Added to the logit of an illegal action: its probability is exactly 0 in f32, and no gradient reaches it. */
export const illegalLogit = -1e9;

/** Log probability of the action taken. Shape: logProbs [N,B], actions [1,B] i32 -> [1,B]. */
export function chosenLogProb(g: Graph, logProbs: Tensor, actions: Tensor): Tensor {
  const numActions = logProbs.shape[0] as number;
  return g.sum(g.mul(logProbs, g.oneHot(actions, numActions, logProbs.type as FloatType)), [0]);
}

/** Minus the entropy in nats; an illegal action counts 0 (-1e9 · 0). Shape: logProbs [N,B] -> [1,B]. */
export function negativeEntropy(g: Graph, logProbs: Tensor): Tensor {
  return g.sum(g.timesExp(logProbs), [0]);
}
