import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import type { ParameterLayout, ParameterSpec } from './parameters.ts';

/** Added to the variance, as PyTorch does. */
const epsilon = 1e-5;

/** Whether the features of a row lie beside each other ([B,F]) or below each other ([F,B]). */
export type FeatureAxis = 'row' | 'column';

/** `<name>.gain` (ones) and `<name>.shift` (zeros), shaped [1,F] for rows and [F,1] for columns. */
export function layerNormParameters(name: string, features: number, axis: FeatureAxis): ParameterSpec[] {
  const shape = axis === 'row' ? ([1, features] as const) : ([features, 1] as const);
  return [
    { name: `${name}.gain`, shape, initialise: () => new Float32Array(features).fill(1) },
    { name: `${name}.shift`, shape, initialise: () => new Float32Array(features) },
  ];
}

/**
 * Brings the features of every sample to mean 0 and deviation 1, then scales and shifts each feature.
 * Source: Ba, Kiros and Hinton 2016, eq. 3.
 */
export function applyLayerNorm(
  g: Graph,
  name: string,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
  axis: FeatureAxis,
): Tensor {
  const [gain, shift] = [parameters.get(`${name}.gain`), parameters.get(`${name}.shift`)];
  if (!gain || !shift) throw new RangeError(`no parameters ${name}.gain and ${name}.shift`);
  return normalise(g, x, axis, gain, shift);
}

/** The same with the parameters baked in. */
export function applyFrozenLayerNorm(
  g: Graph,
  name: string,
  layout: ParameterLayout,
  flat: Float32Array,
  x: Tensor,
): Tensor {
  const [gain, shift] = ['gain', 'shift'].map((key) => {
    const block = layout.block(flat, `${name}.${key}`);
    return g.constant(block, [1, block.length]);
  }) as [Tensor, Tensor];
  return normalise(g, x, 'row', gain, shift);
}

function normalise(g: Graph, x: Tensor, axis: FeatureAxis, gain: Tensor, shift: Tensor): Tensor {
  const dimension = axis === 'row' ? 1 : 0;
  const count = x.shape[dimension] as number;
  const mean = (values: Tensor): Tensor => g.scale(g.sum(values, [dimension]), 1 / count);
  const centred = g.sub(x, mean(x));
  const deviation = g.sqrt(g.add(mean(g.square(centred)), g.scalar(epsilon, x.type)));
  return g.add(g.mul(g.div(centred, deviation), gain), shift);
}
