import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { orthogonal } from './orthogonal.ts';
import type { ParameterLayout, ParameterSpec } from './parameters.ts';

/** A multi-layer perceptron: tanh hidden layers of one width and a linear output. */
export interface MlpShape {
  /** Parameters are named `<name>.0.weight`, `<name>.1.weight`, `<name>.1.bias`, ... */
  readonly name: string;
  readonly inputs: number;
  readonly hidden: number;
  readonly hiddenLayers: number;
  readonly outputs: number;
  /** Gain of the last layer: 0.01 for a policy (near-uniform start), 1 for a value. */
  readonly outputGain: number;
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
  return specs;
}

/**
 * The network, with its result in columns: what follows works on few numbers per row of the batch, and kernels are an
 * order of magnitude faster along the batch than along five actions.
 * Shape: x [B,inputs+1], whose last column is 1 -> [outputs,B].
 */
export function applyMlp(
  g: Graph,
  { name, hiddenLayers }: MlpShape,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
): Tensor {
  const find = (key: string): Tensor => {
    const parameter = parameters.get(`${name}.${key}`);
    if (!parameter) throw new RangeError(`no parameter ${name}.${key}`);
    return parameter;
  };
  let hidden = g.tanh(g.matmul(x, find('0.weight')));
  for (let i = 1; i < hiddenLayers; i++) {
    hidden = g.tanh(g.linear(hidden, find(`${i}.weight`), find(`${i}.bias`)));
  }
  const last = { weight: find(`${hiddenLayers}.weight`), bias: find(`${hiddenLayers}.bias`) };
  return g.linear(last.weight, hidden, last.bias, { transB: true });
}

/**
 * The same function in the form that other programs expect: weights baked in, plain inputs, results in rows.
 * Shape: x [B,inputs] -> [B,outputs].
 */
export function applyFrozenMlp(
  g: Graph,
  { name, inputs, hidden, hiddenLayers, outputs }: MlpShape,
  layout: ParameterLayout,
  flat: Float32Array,
  x: Tensor,
): Tensor {
  const block = (key: string): Float32Array => layout.block(flat, `${name}.${key}`);
  const first = block('0.weight');
  let y = g.tanh(
    g.linear(
      x,
      g.constant(first.subarray(0, inputs * hidden), [inputs, hidden]),
      g.constant(first.subarray(inputs * hidden), [1, hidden]),
    ),
  );
  for (let i = 1; i < hiddenLayers; i++) {
    const weight = g.constant(block(`${i}.weight`), [hidden, hidden]);
    y = g.tanh(g.linear(y, weight, g.constant(block(`${i}.bias`), [1, hidden])));
  }
  const weight = g.constant(block(`${hiddenLayers}.weight`), [outputs, hidden]);
  return g.linear(y, weight, g.constant(block(`${hiddenLayers}.bias`), [1, outputs]), { transB: true });
}
