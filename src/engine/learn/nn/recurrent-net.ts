import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import type { EvenSteps } from '../graph/ops-recurrent.ts';
import { applyFrozenGru, applyGru, type GruShape, gruParameters } from './gru.ts';
import { applyFrozenLayerNorm, applyLayerNorm, layerNormParameters } from './layer-norm.ts';
import type { Activation } from './mlp.ts';
import { orthogonal } from './orthogonal.ts';
import { type ParameterLayout, type ParameterSpec, parameterOf } from './parameters.ts';

/** A linear layer with activation, a GRU of the same width, a linear output. */
export interface RecurrentShape {
  readonly name: string;
  readonly inputs: number;
  readonly hidden: number;
  readonly outputs: number;
  /** Gain of the last layer: 0.01 for a policy, 1 for a value. */
  readonly outputGain: number;
  readonly activation: Activation;
  /** Normalises the input (`<name>.input`), the first layer (`<name>.0`) and the memory (`<name>.memory`). */
  readonly layerNorm: boolean;
}

/**
 * Orthogonal weights (gain √2, gates 1, output outputGain), zero biases.
 * Shape: first weight [H,inputs+1], whose last column is the bias; the GRU's see gru.ts; last weight [outputs,H], bias
 * [outputs,1].
 */
export function recurrentParameters(shape: RecurrentShape): ParameterSpec[] {
  const { name, inputs, hidden, outputs, outputGain, layerNorm } = shape;
  const first = (rng: CounterRng): Float32Array =>
    withZeroColumn(orthogonal(rng, hidden, inputs, Math.SQRT2), inputs);
  const specs: ParameterSpec[] = [
    { name: `${name}.0.weight`, shape: [hidden, inputs + 1], initialise: first },
    ...gruParameters(gruOf(shape)),
    {
      name: `${name}.2.weight`,
      shape: [outputs, hidden],
      initialise: (rng) => orthogonal(rng, outputs, hidden, outputGain),
    },
    { name: `${name}.2.bias`, shape: [outputs, 1], initialise: () => new Float32Array(outputs) },
  ];
  if (!layerNorm) return specs;
  return [
    ...specs,
    ...layerNormParameters(`${name}.input`, inputs, 'row'),
    ...layerNormParameters(`${name}.0`, hidden, 'column'),
    ...layerNormParameters(`${name}.memory`, hidden, 'column'),
  ];
}

/** What the first layer's activation is applied to, in columns. Shape: x [B,inputs+1], whose last column is 1 -> [H,B]. */
export function firstColumns(
  g: Graph,
  { name, inputs, layerNorm }: RecurrentShape,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
): Tensor {
  const weight = parameterOf(parameters, `${name}.0.weight`);
  if (!layerNorm) return g.matmul(weight, x, { transB: true });
  const [features] = g.split(x, [inputs, 1], 1) as [Tensor, Tensor];
  const [weights, bias] = g.split(weight, [inputs, 1], 1) as [Tensor, Tensor];
  const normal = applyLayerNorm(g, `${name}.input`, parameters, features, 'row');
  return g.linear(weights, normal, bias, { transB: true });
}

/**
 * The rest of the network over T steps of R columns.
 * Shape: first [H,T·R] -> output [outputs,T·R], last [H,R] the memory after the last step.
 */
export function finishRecurrent(
  g: Graph,
  shape: RecurrentShape,
  parameters: ReadonlyMap<string, Tensor>,
  first: Tensor,
  steps: EvenSteps,
): { readonly output: Tensor; readonly last: Tensor } {
  const { name, activation, layerNorm } = shape;
  const norm = (key: string, y: Tensor): Tensor =>
    layerNorm ? applyLayerNorm(g, `${name}.${key}`, parameters, y, 'column') : y;
  const x = norm('0', g[activation](first));
  const hidden = applyGru(g, gruOf(shape), parameters, x, steps);
  const rows = steps.h0.shape[1] as number;
  const last =
    steps.numSteps === 1 ? hidden : (g.split(hidden, [(steps.numSteps - 1) * rows, rows], 1)[1] as Tensor);
  const weights = [
    parameterOf(parameters, `${name}.2.weight`),
    parameterOf(parameters, `${name}.2.bias`),
  ] as const;
  return { output: g.linear(weights[0], norm('memory', hidden), weights[1]), last };
}

/**
 * One step in the form that other programs expect: weights baked in, rows in and out.
 * Shape: x [B,inputs], hidden [B,H] -> output [B,outputs], next [B,H].
 */
export function applyFrozenRecurrent(
  g: Graph,
  shape: RecurrentShape,
  layout: ParameterLayout,
  flat: Float32Array,
  x: Tensor,
  hidden: Tensor,
): { readonly output: Tensor; readonly next: Tensor } {
  const { name, inputs, hidden: size, outputs, activation, layerNorm } = shape;
  const block = (key: string): Float32Array => layout.block(flat, `${name}.${key}`);
  const norm = (key: string, y: Tensor): Tensor =>
    layerNorm ? applyFrozenLayerNorm(g, `${name}.${key}`, layout, flat, y) : y;
  const { weights, bias } = splitBias(block('0.weight'), inputs);
  const first = g.linear(norm('input', x), g.constant(weights, [size, inputs]), g.constant(bias, [1, size]), {
    transB: true,
  });
  const next = applyFrozenGru(g, gruOf(shape), layout, flat, norm('0', g[activation](first)), hidden);
  const weight = g.constant(block('2.weight'), [outputs, size]);
  const output = g.linear(norm('memory', next), weight, g.constant(block('2.bias'), [1, outputs]), {
    transB: true,
  });
  return { output, next };
}

function gruOf({ name, hidden }: RecurrentShape): GruShape {
  return { name: `${name}.1`, inputs: hidden, hidden, initialisation: 'orthogonal' };
}

/** [H,K] -> [H,K+1], the last column 0. */
function withZeroColumn(weights: Float32Array, width: number): Float32Array {
  const rows = weights.length / width;
  const wider = new Float32Array(rows * (width + 1));
  for (let i = 0; i < rows; i++) wider.set(weights.subarray(i * width, (i + 1) * width), i * (width + 1));
  return wider;
}

/** [H,K+1] -> weights [H,K] and bias [H]. */
function splitBias(block: Float32Array, width: number): { weights: Float32Array; bias: Float32Array } {
  const rows = block.length / (width + 1);
  const weights = new Float32Array(rows * width);
  const bias = new Float32Array(rows);
  for (let i = 0; i < rows; i++) {
    weights.set(block.subarray(i * (width + 1), i * (width + 1) + width), i * width);
    bias[i] = block[i * (width + 1) + width] as number;
  }
  return { weights, bias };
}
