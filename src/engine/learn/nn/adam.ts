import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-5;

/** Optimiser state of a flat vector; all [P]. */
export interface AdamState {
  readonly parameters: Tensor;
  readonly firstMoment: Tensor;
  readonly secondMoment: Tensor;
}

/**
 * Bias corrections of step `step` (1-based), folded into two numbers that are fed to the graph as [2]:
 * p' = p - stepSize m' / (√v' + epsilonHat).
 */
export function adamScalars(learningRate: number, step: number): [stepSize: number, epsilonHat: number] {
  const correction = Math.sqrt(1 - beta2 ** step);
  return [(learningRate * correction) / (1 - beta1 ** step), epsilon * correction];
}

/**
 * One Adam step on a clipped gradient.
 * Shape: gradient [P]; scalars [2] from `adamScalars`; gradientNorm [] is the norm before clipping.
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
  const [stepSize, epsilonHat] = g.split(scalars, [1, 1], 0) as [Tensor, Tensor];
  const row = g.reshape(gradient, [1, gradient.shape[0] as number]);
  const gradientNorm = g.sqrt(g.reshape(g.matmul(row, row, { transB: true }), []));
  const scale = g.min(
    g.div(g.scalar(maxGradNorm, type), g.add(gradientNorm, g.scalar(1e-6, type))),
    g.scalar(1, type),
  );
  const clipped = g.mul(gradient, scale);
  const firstMoment = g.add(g.scale(state.firstMoment, beta1), g.scale(clipped, 1 - beta1));
  const secondMoment = g.add(g.scale(state.secondMoment, beta2), g.scale(g.mul(clipped, clipped), 1 - beta2));
  const update = g.div(g.mul(firstMoment, stepSize), g.add(g.sqrt(secondMoment), epsilonHat));
  return { parameters: g.sub(state.parameters, update), firstMoment, secondMoment, gradientNorm };
}
