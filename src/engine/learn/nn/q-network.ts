import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import type { GruSteps } from '../graph/ops-recurrent.ts';
import { applyFrozenGru, applyGru, type GruShape, gruParameters } from './gru.ts';
import { type ParameterLayout, type ParameterSpec, parameterOf } from './parameters.ts';
import { uniform } from './uniform.ts';

/**
 * What an agent thinks its actions are worth: a ReLU layer, a layer of memory (GRU) or another ReLU layer, a linear output.
 * All agents of a group share it.
 */
export interface QNetwork {
  /** Parameters are named `<name>.encode.weight`, `<name>.memory...`, `<name>.head.weight`, `<name>.head.bias`. */
  readonly name: string;
  /** Width of the input, without the 1 it ends with. */
  readonly inputs: number;
  readonly hidden: number;
  readonly numActions: number;
  readonly isRecurrent: boolean;
}

/**
 * Everything starts uniform within ±1/√(numbers a unit sums), as PyTorch's layers do.
 * Shape: encode.weight [inputs+1,H], whose last row is the bias; memory [H,H] and [H,1], or a GRU's; head.weight [N,H],
 * head.bias [N,1].
 */
export function qNetworkParameters(net: QNetwork): ParameterSpec[] {
  const { name, inputs, hidden, numActions, isRecurrent } = net;
  const within = (count: number, sums: number) => (rng: CounterRng) =>
    uniform(rng, count, 1 / Math.sqrt(sums));
  const dense: ParameterSpec[] = [
    { name: `${name}.memory.weight`, shape: [hidden, hidden], initialise: within(hidden * hidden, hidden) },
    { name: `${name}.memory.bias`, shape: [hidden, 1], initialise: within(hidden, hidden) },
  ];
  return [
    {
      name: `${name}.encode.weight`,
      shape: [inputs + 1, hidden],
      initialise: within((inputs + 1) * hidden, inputs),
    },
    ...(isRecurrent ? gruParameters(gruOf(net)) : dense),
    {
      name: `${name}.head.weight`,
      shape: [numActions, hidden],
      initialise: within(numActions * hidden, hidden),
    },
    { name: `${name}.head.bias`, shape: [numActions, 1], initialise: within(numActions, hidden) },
  ];
}

/**
 * Q values of C rows, step after step as `steps` says.
 * Shape: x [C,inputs+1] whose last column is 1 -> q [N,C], hidden [H,C]: the memory after every step.
 */
export function applyQNetwork(
  g: Graph,
  net: QNetwork,
  parameters: ReadonlyMap<string, Tensor>,
  x: Tensor,
  steps: GruSteps,
): { readonly q: Tensor; readonly hidden: Tensor } {
  const find = (key: string): Tensor => parameterOf(parameters, `${net.name}.${key}`);
  const encoded = g.relu(g.matmul(find('encode.weight'), x, { transA: true, transB: true }));
  const hidden = net.isRecurrent
    ? applyGru(g, gruOf(net), parameters, encoded, steps)
    : g.relu(g.linear(find('memory.weight'), encoded, find('memory.bias')));
  return { q: g.linear(find('head.weight'), hidden, find('head.bias')), hidden };
}

/**
 * One step in the form that other programs expect: weights baked in, rows, any batch size.
 * Shape: x [B,inputs], hidden [B,H] (null where there is no memory) -> q [B,N], next [B,H] or null.
 */
export function applyFrozenQNetwork(
  g: Graph,
  net: QNetwork,
  layout: ParameterLayout,
  flat: Float32Array,
  x: Tensor,
  hidden: Tensor | null,
): { readonly q: Tensor; readonly next: Tensor | null } {
  const { name, inputs, hidden: size, numActions } = net;
  const block = (key: string): Float32Array => layout.block(flat, `${name}.${key}`);
  const first = block('encode.weight');
  const weight = g.constant(first.subarray(0, inputs * size), [inputs, size]);
  const encoded = g.relu(g.linear(x, weight, g.constant(first.subarray(inputs * size), [1, size])));
  const dense = (key: string, from: Tensor, outputs: number): Tensor =>
    g.linear(
      from,
      g.constant(block(`${key}.weight`), [outputs, size]),
      g.constant(block(`${key}.bias`), [1, outputs]),
      {
        transB: true,
      },
    );
  const next = hidden && applyFrozenGru(g, gruOf(net), layout, flat, encoded, hidden);
  return { q: dense('head', next ?? g.relu(dense('memory', encoded, size)), numActions), next };
}

function gruOf({ name, hidden }: QNetwork): GruShape {
  return { name: `${name}.memory`, inputs: hidden, hidden, initialisation: 'uniform' };
}
