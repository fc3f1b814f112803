import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-5;

/** Optimiser state of a flat vector; all [1,P]. */
export interface AdamState {
  readonly parameters: Tensor;
  readonly firstMoment: Tensor;
  readonly secondMoment: Tensor;
}

/**
 * Bias corrections of step `step` (1-based), folded into two numbers that are fed to the graph as [1,2]:
 * p' = p + minusStepSize m' / (√v' + epsilonHat).
 */
export function adamScalars(learningRate: number, step: number): [minusStepSize: number, epsilonHat: number] {
  const correction = Math.sqrt(1 - beta2 ** step);
  return [(-learningRate * correction) / (1 - beta1 ** step), epsilon * correction];
}

/**
 * One Adam step on a clipped gradient.
 * Shape: gradient [1,P]; scalars [1,2] from `adamScalars`; gradientNorm [1,1] is the norm before clipping.
 * Source: Kingma and Ba 2015, algorithm 1 with the efficient ordering of its section 2; ε = 1e-5 and clipping by the
 * global norm as in CleanRL.
 */
export function adamStep(
  g: Graph,
  state: AdamState,
  gradient: Tensor,
  scalars: Tensor,
  maxGradNorm: number,
): AdamState & { readonly gradientNorm: Tensor } {
  const type = gradient.type;
  const [minusStepSize, epsilonHat] = g.split(scalars, [1, 1], 1) as [Tensor, Tensor];
  const squares = g.mul(gradient, gradient);
  const gradientNorm = g.sqrt(g.sum(squares, [1]));
  // The clipping factor min(max / norm, 1) joins the weights of the new moments, which saves passes over the vector.
  const limit = g.div(g.scalar((1 - beta1) * maxGradNorm, type), g.add(gradientNorm, g.scalar(1e-6, type)));
  const weight = g.min(limit, g.scalar(1 - beta1, type));
  const squareWeight = g.scale(g.mul(weight, weight), (1 - beta2) / (1 - beta1) ** 2);
  const firstMoment = g.addScaled(state.firstMoment, beta1, gradient, weight);
  const secondMoment = g.addScaled(state.secondMoment, beta2, squares, squareWeight);
  const direction = g.div(firstMoment, g.add(g.sqrt(secondMoment), epsilonHat));
  const parameters = g.addScaled(state.parameters, 1, direction, minusStepSize);
  return { parameters, firstMoment, secondMoment, gradientNorm };
}
