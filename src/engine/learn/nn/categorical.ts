import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';

/** Added to the logit of an illegal action: its probability is exactly 0 in f32, and no gradient reaches it. */
export const illegalLogit = -1e9;

/** Log probabilities of a categorical policy. Shape: logits [B,N], logitBias [B,N] (0 or illegalLogit) -> [B,N]. */
export function maskedLogProbs(g: Graph, logits: Tensor, logitBias: Tensor): Tensor {
  return g.logSoftmax(g.add(logits, logitBias));
}

/** Log probability of the action taken. Shape: logProbs [B,N], actions [B,1] i32 -> [B,1]. */
export function chosenLogProb(g: Graph, logProbs: Tensor, actions: Tensor): Tensor {
  const numActions = logProbs.shape[1] as number;
  return g.sum(g.mul(logProbs, g.oneHot(actions, numActions, logProbs.type as 'f32')), [1]);
}

/** Entropy in nats; an illegal action counts 0 (0 · -1e9). Shape: logProbs [B,N] -> [B,1]. */
export function entropy(g: Graph, logProbs: Tensor): Tensor {
  return g.neg(g.sum(g.mul(g.exp(logProbs), logProbs), [1]));
}
