import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { orthogonal } from './orthogonal.ts';
import type { ParameterSpec } from './parameters.ts';

export interface MlpShape {
  /** Parameters are named `<name>.0.weight`, `<name>.0.bias`, ... */
  readonly name: string;
  /** Widths from the input to the output. */
  readonly sizes: readonly number[];
  /** Gain of the last layer: 0.01 for a policy (near-uniform start), 1 for a value. */
  readonly outputGain: number;
}

/** Orthogonal weights of gain √2 (last layer: outputGain), zero biases, as in CleanRL's PPO. */
export function mlpParameters({ name, sizes, outputGain }: MlpShape): ParameterSpec[] {
  const numLayers = sizes.length - 1;
  return Array.from({ length: numLayers }, (_, i) => {
    const [inputs, outputs] = [sizes[i] as number, sizes[i + 1] as number];
    const gain = i === numLayers - 1 ? outputGain : Math.SQRT2;
    return [
      {
        name: `${name}.${i}.weight`,
        shape: [inputs, outputs],
        initialise: (rng) => orthogonal(rng, inputs, outputs, gain),
      },
      { name: `${name}.${i}.bias`, shape: [outputs], initialise: () => new Float32Array(outputs) },
    ] satisfies ParameterSpec[];
  }).flat();
}

/** tanh layers and a linear last one. Shape: x [B,sizes[0]] -> [B,sizes.at(-1)]. */
export function applyMlp(
  g: Graph,
  shape: MlpShape,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
): Tensor {
  const numLayers = shape.sizes.length - 1;
  let hidden = x;
  for (let i = 0; i < numLayers; i++) {
    const weight = parameters.get(`${shape.name}.${i}.weight`);
    const bias = parameters.get(`${shape.name}.${i}.bias`);
    if (!weight || !bias) throw new RangeError(`no parameters for layer ${i} of ${shape.name}`);
    const sum = g.linear(hidden, weight, bias);
    hidden = i < numLayers - 1 ? g.tanh(sum) : sum;
  }
  return hidden;
}
