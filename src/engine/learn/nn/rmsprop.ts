import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import type { AdamState } from './adam.ts';

const decay = 0.99;
const epsilon = 1e-5;

/** As `adamScalars`: [minus step size, ε]; RMSprop corrects nothing at the start. */
export function rmspropScalars(learningRate: number): [minusStepSize: number, epsilon: number] {
  return [-learningRate, epsilon];
}

/**
 * One RMSprop step on a clipped gradient: v' = α v + (1 - α) g², p' = p - η g / (√v' + ε).
 * It keeps its mean square as the second moment; the first moment holds the direction last taken (momentum 0), so that both
 * optimisers have one face.
 * Shape: as `adamStep`. Source: Tieleman and Hinton 2012; α = 0.99, ε = 1e-5 and clipping by the global norm as in PyMARL.
 */
export function rmspropStep(
  g: Graph,
  state: Pick<AdamState, 'parameters' | 'secondMoment'>,
  gradient: Tensor,
  scalars: Tensor,
  maxGradNorm: number,
): AdamState & { readonly gradientNorm: Tensor } {
  const type = gradient.type;
  const [minusStepSize, offset] = g.split(scalars, [1, 1], 1) as [Tensor, Tensor];
  const squares = g.mul(gradient, gradient);
  const gradientNorm = g.sqrt(g.sum(squares, [1]));
  const limit = g.div(g.scalar(maxGradNorm, type), g.add(gradientNorm, g.scalar(1e-6, type)));
  const weight = g.min(limit, g.scalar(1, type));
  const squareWeight = g.scale(g.mul(weight, weight), 1 - decay);
  const secondMoment = g.addScaled(state.secondMoment, decay, squares, squareWeight);
  const firstMoment = g.div(g.mul(gradient, weight), g.add(g.sqrt(secondMoment), offset));
  const parameters = g.addScaled(state.parameters, 1, firstMoment, minusStepSize);
  return { parameters, firstMoment, secondMoment, gradientNorm };
}
