import type { CounterRng } from '../../../shared/std/rng.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/node.ts';
import { type ParameterSpec, parameterOf } from './parameters.ts';
import { uniform } from './uniform.ts';

/** How the Q values that agents chose become the value of what the team did. */
export interface Mixer {
  readonly parameters: readonly ParameterSpec[];
  /** Whether it looks at the state; else it is fed none. */
  readonly needsState: boolean;
  /** Shape: q [A,B], state [B,S+1] whose last column is 1 (null where it needs none) -> [1,B]. */
  apply(g: Graph, parameters: ReadonlyMap<string, Tensor>, q: Tensor, state: Tensor | null): Tensor;
}

/** The plain sum. Source: Sunehag et al. 2018, value decomposition networks. */
export const sumMixer: Mixer = {
  parameters: [],
  needsState: false,
  apply: (g, _, q) => g.sum(q, [0]),
};

export interface HypernetShape {
  readonly numAgents: number;
  readonly stateDim: number;
  /** Width of the mixing network, M. */
  readonly mixingEmbed: number;
  /** Hidden width of the generators of its weights, K; 0: they are linear in the state. */
  readonly hypernetEmbed: number;
}

/**
 * A small network over the agents' Q values whose weights the state generates:
 * Q = |W2(s)| · ELU(|W1(s)| q + b1(s)) + V(s), with W = linear(ReLU(linear s)), b1 linear, V = linear(ReLU(linear s)).
 * Weights are not negative, so that Q rises with every agent's own Q: what is best for each is best for all.
 *
 * All that is linear in the state is one matrix product, and everything is laid out along the batch.
 * Source: Rashid et al. 2018, QMIX, section 4.1 and its code.
 */
export function hypernetMixer(shape: HypernetShape): Mixer {
  return { parameters: mixerParameters(shape), needsState: true, apply: (...args) => mix(shape, ...args) };
}

/**
 * Shape: state.weight [S+1,2K+2M] gives the hidden units of W1, of W2 and of V, then b1 (with K = 0: A·M entries of W1 and M
 * of W2 themselves); w1.weight [A·M,K], w1.bias [A·M,1], w2.weight [M,K], w2.bias [M,1], v.weight [1,M], v.bias [1,1].
 */
function mixerParameters({
  numAgents,
  stateDim,
  mixingEmbed,
  hypernetEmbed,
}: HypernetShape): ParameterSpec[] {
  const within = (count: number, sums: number) => (rng: CounterRng) =>
    uniform(rng, count, 1 / Math.sqrt(sums));
  const layer = (name: string, outputs: number, inputs: number): ParameterSpec[] => [
    { name: `mixer.${name}.weight`, shape: [outputs, inputs], initialise: within(outputs * inputs, inputs) },
    { name: `mixer.${name}.bias`, shape: [outputs, 1], initialise: within(outputs, inputs) },
  ];
  const width = sectionsOf({ numAgents, mixingEmbed, hypernetEmbed }).reduce(
    (sum, height) => sum + height,
    0,
  );
  const generators = [
    ...layer('w1', numAgents * mixingEmbed, hypernetEmbed),
    ...layer('w2', mixingEmbed, hypernetEmbed),
  ];
  return [
    {
      name: 'mixer.state.weight',
      shape: [stateDim + 1, width],
      initialise: within((stateDim + 1) * width, stateDim),
    },
    ...(hypernetEmbed > 0 ? generators : []),
    ...layer('v', 1, mixingEmbed),
  ];
}

/** Rows of what is linear in the state: for W1, for W2, hidden units of V, b1. */
function sectionsOf({
  numAgents,
  mixingEmbed,
  hypernetEmbed,
}: Omit<HypernetShape, 'stateDim'>): [number, number, number, number] {
  const isLinear = hypernetEmbed === 0;
  return [
    isLinear ? numAgents * mixingEmbed : hypernetEmbed,
    isLinear ? mixingEmbed : hypernetEmbed,
    mixingEmbed,
    mixingEmbed,
  ];
}

function mix(
  shape: HypernetShape,
  g: Graph,
  parameters: ReadonlyMap<string, Tensor>,
  q: Tensor,
  state: Tensor | null,
): Tensor {
  const { numAgents, mixingEmbed, hypernetEmbed } = shape;
  const find = (key: string): Tensor => parameterOf(parameters, `mixer.${key}`);
  if (state === null) throw new RangeError('the mixer needs the state');
  const batch = state.shape[0] as number;
  const linear = g.matmul(find('state.weight'), state, { transA: true, transB: true });
  const [toW1, toW2, toV, bias] = g.split(linear, sectionsOf(shape), 0) as [Tensor, Tensor, Tensor, Tensor];
  const generate = (name: string, from: Tensor): Tensor =>
    hypernetEmbed === 0 ? from : g.linear(find(`${name}.weight`), g.relu(from), find(`${name}.bias`));
  const w1 = g.reshape(g.abs(generate('w1', toW1)), [numAgents, mixingEmbed, batch]);
  const w2 = g.abs(generate('w2', toW2));
  const value = g.linear(find('v.weight'), g.relu(toV), find('v.bias'));
  const weighted = g.sum(g.mul(w1, g.reshape(q, [numAgents, 1, batch])), [0]);
  const hidden = g.elu(g.add(g.reshape(weighted, [mixingEmbed, batch]), bias));
  return g.add(g.sum(g.mul(hidden, w2), [0]), value);
}
