import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import type { GruSteps } from '../graph/ops-recurrent.ts';
import { orthogonal } from './orthogonal.ts';
import { type ParameterLayout, type ParameterSpec, parameterOf } from './parameters.ts';
import { uniform } from './uniform.ts';

/** One gated recurrent unit (Cho et al. 2014, in PyTorch's form: the reset gate acts after the product with U_n). */
export interface GruShape {
  /** Parameters are named `<name>.input.weight`, `.input.bias`, `.hidden.weight`, `.hidden.bias`. */
  readonly name: string;
  readonly inputs: number;
  readonly hidden: number;
  /** Starting values: `uniform` ±1/√H everywhere (PyTorch's own), or `orthogonal` gates with zero biases. */
  readonly initialisation: 'uniform' | 'orthogonal';
}

/**
 * Shape: input.weight [3H,inputs] and input.bias [3H,1], hidden.weight [3H,H], all with rows r, z, n; hidden.bias [H,1],
 * that of U_n h (for r and z a second bias would be added to the first).
 */
export function gruParameters({ name, inputs, hidden, initialisation }: GruShape): ParameterSpec[] {
  const weight = (columns: number) => (rng: CounterRng) =>
    initialisation === 'uniform'
      ? uniform(rng, 3 * hidden * columns, 1 / Math.sqrt(hidden))
      : stacked(rng, hidden, columns);
  const bias = (rows: number) => (rng: CounterRng) =>
    initialisation === 'uniform' ? uniform(rng, rows, 1 / Math.sqrt(hidden)) : new Float32Array(rows);
  return [
    { name: `${name}.input.weight`, shape: [3 * hidden, inputs], initialise: weight(inputs) },
    { name: `${name}.input.bias`, shape: [3 * hidden, 1], initialise: bias(3 * hidden) },
    { name: `${name}.hidden.weight`, shape: [3 * hidden, hidden], initialise: weight(hidden) },
    { name: `${name}.hidden.bias`, shape: [hidden, 1], initialise: bias(hidden) },
  ];
}

/**
 * The unit over T steps; columns lie step after step.
 * Shape: x [inputs,C] -> hidden [H,C] after every step.
 */
export function applyGru(
  g: Graph,
  { name, hidden: size }: Pick<GruShape, 'name' | 'hidden'>,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
  steps: GruSteps,
): Tensor {
  const find = (key: string): Tensor => parameterOf(parameters, `${name}.${key}`);
  // Weights are cut, not their products with the inputs, which are hundreds of times as large.
  const [gatesW, candidatesW] = g.split(find('input.weight'), [2 * size, size], 0) as [Tensor, Tensor];
  const [gatesB, candidatesB] = g.split(find('input.bias'), [2 * size, size], 0) as [Tensor, Tensor];
  const inputs = { gates: g.linear(gatesW, x, gatesB), candidates: g.linear(candidatesW, x, candidatesB) };
  return g.gru({ ...inputs, u: find('hidden.weight'), bias: find('hidden.bias') }, steps);
}

/**
 * One step in the form that other programs expect: weights baked in, rows in and out, any batch size.
 * Shape: x [B,inputs], hidden [B,H] -> next hidden [B,H].
 */
export function applyFrozenGru(
  g: Graph,
  { name, inputs, hidden: size }: GruShape,
  layout: ParameterLayout,
  flat: Float32Array,
  x: Tensor,
  hidden: Tensor,
): Tensor {
  const block = (key: string): Float32Array => layout.block(flat, `${name}.${key}`);
  const rows = (key: string, width: number, first: number, count: number): Tensor =>
    g.constant(block(key).subarray(first * width, (first + count) * width), [count, width]);
  const bias = (key: string, first: number, count: number): Tensor =>
    g.constant(block(key).subarray(first, first + count), [1, count]);
  const across = { transB: true };
  const gatesX = g.linear(
    x,
    rows('input.weight', inputs, 0, 2 * size),
    bias('input.bias', 0, 2 * size),
    across,
  );
  const gates = g.sigmoid(g.linear(hidden, rows('hidden.weight', size, 0, 2 * size), gatesX, across));
  const [reset, update] = g.split(gates, [size, size], 1) as [Tensor, Tensor];
  const recurrent = g.linear(
    hidden,
    rows('hidden.weight', size, 2 * size, size),
    bias('hidden.bias', 0, size),
    across,
  );
  const candidateX = g.linear(
    x,
    rows('input.weight', inputs, 2 * size, size),
    bias('input.bias', 2 * size, size),
    across,
  );
  const candidate = g.tanh(g.add(g.mul(reset, recurrent), candidateX));
  return g.add(candidate, g.mul(update, g.sub(hidden, candidate)));
}

/** Three orthogonal matrices [H,columns], one per gate, below each other. */
function stacked(rng: CounterRng, hidden: number, columns: number): Float32Array {
  const size = hidden * columns;
  const weights = new Float32Array(3 * size);
  for (let gate = 0; gate < 3; gate++) weights.set(orthogonal(rng, hidden, columns, 1), gate * size);
  return weights;
}
