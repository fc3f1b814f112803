import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { applyFrozenLayerNorm, applyLayerNorm, layerNormParameters } from './layer-norm.ts';
import { orthogonal } from './orthogonal.ts';
import { type ParameterLayout, type ParameterSpec, parameterOf } from './parameters.ts';

export type Activation = 'tanh' | 'relu';

/** A multi-layer perceptron: hidden layers of one width and a linear output. */
export interface MlpShape {
  /** Parameters are named `<name>.0.weight`, `<name>.1.weight`, `<name>.1.bias`, ... */
  readonly name: string;
  readonly inputs: number;
  readonly hidden: number;
  readonly hiddenLayers: number;
  readonly outputs: number;
  /** Gain of the last layer: 0.01 for a policy (near-uniform start), 1 for a value. */
  readonly outputGain: number;
  readonly activation: Activation;
  /** Normalises the input (`<name>.input`) and what every hidden layer gives (`<name>.0`, ...). */
  readonly layerNorm: boolean;
}

/**
 * Orthogonal weights of gain √2 (last layer: outputGain), zero biases, as in CleanRL's PPO.
 * Shape: first weight [inputs+1,H], whose last row is the bias: the input ends with a 1, which saves a kernel each way;
 * hidden weights [H,H] and biases [1,H]; last weight [outputs,H] and bias [outputs,1], since its result is in columns.
 */
export function mlpParameters(shape: MlpShape): ParameterSpec[] {
  const { name, inputs, hidden, hiddenLayers, outputs, outputGain } = shape;
  const zeros = (count: number) => (): Float32Array => new Float32Array(count);
  const first = (rng: CounterRng): Float32Array => {
    const weights = new Float32Array((inputs + 1) * hidden);
    weights.set(orthogonal(rng, inputs, hidden, Math.SQRT2));
    return weights;
  };
  const specs: ParameterSpec[] = [
    { name: `${name}.0.weight`, shape: [inputs + 1, hidden], initialise: first },
  ];
  for (let i = 1; i < hiddenLayers; i++) {
    specs.push(
      {
        name: `${name}.${i}.weight`,
        shape: [hidden, hidden],
        initialise: (rng) => orthogonal(rng, hidden, hidden, Math.SQRT2),
      },
      { name: `${name}.${i}.bias`, shape: [1, hidden], initialise: zeros(hidden) },
    );
  }
  specs.push(
    {
      name: `${name}.${hiddenLayers}.weight`,
      shape: [outputs, hidden],
      initialise: (rng) => orthogonal(rng, outputs, hidden, outputGain),
    },
    { name: `${name}.${hiddenLayers}.bias`, shape: [outputs, 1], initialise: zeros(outputs) },
  );
  return shape.layerNorm ? [...specs, ...normParameters(shape)] : specs;
}

function normParameters({ name, inputs, hidden, hiddenLayers }: MlpShape): ParameterSpec[] {
  const layers = Array.from({ length: hiddenLayers }, (_, i) =>
    layerNormParameters(`${name}.${i}`, hidden, 'row'),
  );
  return [...layerNormParameters(`${name}.input`, inputs, 'row'), ...layers.flat()];
}

/**
 * The network, with its result in columns: what follows works on few numbers per row of the batch, and kernels are an
 * order of magnitude faster along the batch than along five actions.
 * Shape: x [B,inputs+1], whose last column is 1 -> [outputs,B].
 */
export function applyMlp(
  g: Graph,
  shape: MlpShape,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
): Tensor {
  return finishMlp(g, shape, parameters, firstProduct(g, shape, parameters, x));
}

/** What the first layer's activation is applied to. Shape: x [B,inputs+1] -> [B,H]. */
export function firstProduct(
  g: Graph,
  { name, inputs, layerNorm }: MlpShape,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
): Tensor {
  const weight = parameterOf(parameters, `${name}.0.weight`);
  if (!layerNorm) return g.matmul(x, weight);
  const [features] = g.split(x, [inputs, 1], 1) as [Tensor, Tensor];
  const [weights, bias] = g.split(weight, [inputs, 1], 0) as [Tensor, Tensor];
  return g.linear(applyLayerNorm(g, `${name}.input`, parameters, features, 'row'), weights, bias);
}

/** The rest of the network. Shape: first [B,H] -> [outputs,B]. */
export function finishMlp(
  g: Graph,
  { name, hiddenLayers, activation, layerNorm }: MlpShape,
  parameters: ReadonlyMap<string, Tensor>,
  first: Tensor,
): Tensor {
  const layer = (i: number, y: Tensor): Tensor => {
    const active = g[activation](y);
    return layerNorm ? applyLayerNorm(g, `${name}.${i}`, parameters, active, 'row') : active;
  };
  let hidden = layer(0, first);
  for (let i = 1; i < hiddenLayers; i++) {
    const [weight, bias] = [
      parameterOf(parameters, `${name}.${i}.weight`),
      parameterOf(parameters, `${name}.${i}.bias`),
    ];
    hidden = layer(i, g.linear(hidden, weight, bias));
  }
  const last = `${name}.${hiddenLayers}`;
  return g.linear(
    parameterOf(parameters, `${last}.weight`),
    hidden,
    parameterOf(parameters, `${last}.bias`),
    {
      transB: true,
    },
  );
}

/**
 * The same function in the form that other programs expect: weights baked in, plain inputs, results in rows.
 * Shape: x [B,inputs] -> [B,outputs].
 */
export function applyFrozenMlp(
  g: Graph,
  { name, inputs, hidden, hiddenLayers, outputs, activation, layerNorm }: MlpShape,
  layout: ParameterLayout,
  flat: Float32Array,
  x: Tensor,
): Tensor {
  const block = (key: string): Float32Array => layout.block(flat, `${name}.${key}`);
  const norm = (key: string, y: Tensor): Tensor =>
    layerNorm ? applyFrozenLayerNorm(g, `${name}.${key}`, layout, flat, y) : y;
  const first = block('0.weight');
  const product = g.linear(
    norm('input', x),
    g.constant(first.subarray(0, inputs * hidden), [inputs, hidden]),
    g.constant(first.subarray(inputs * hidden), [1, hidden]),
  );
  let y = norm('0', g[activation](product));
  for (let i = 1; i < hiddenLayers; i++) {
    const weight = g.constant(block(`${i}.weight`), [hidden, hidden]);
    const layer = g.linear(y, weight, g.constant(block(`${i}.bias`), [1, hidden]));
    y = norm(`${i}`, g[activation](layer));
  }
  const weight = g.constant(block(`${hiddenLayers}.weight`), [outputs, hidden]);
  return g.linear(y, weight, g.constant(block(`${hiddenLayers}.bias`), [1, outputs]), { transB: true });
}
