import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/node.ts';
import { applyMlp, finishMlp, firstProduct, type MlpShape, mlpParameters } from '../../nn/mlp.ts';
import { ParameterLayout } from '../../nn/parameters.ts';
import {
  finishRecurrent,
  firstColumns,
  type RecurrentShape,
  recurrentParameters,
} from '../../nn/recurrent-net.ts';

export type NetworkConfig = Pick<
  OnPolicyConfig,
  'hidden' | 'activation' | 'layerNorm' | 'critic' | 'recurrent'
>;

/** The widths that actor and critic meet. */
export interface NetworkSizes {
  readonly obsDim: number;
  readonly numActions: number;
  /** Agents of the group, A. */
  readonly numAgents: number;
  readonly stateDim: number;
}

/** Actor and critic of one group: two networks of one kind; what the critic sees is in `config.critic`. */
export interface ActorCritic extends NetworkSizes {
  readonly config: NetworkConfig;
  readonly actor: MlpShape & RecurrentShape;
  readonly critic: MlpShape & RecurrentShape;
  readonly layout: ParameterLayout;
}

/**
 * A critic of `state+agent` adds a vector per agent to its first layer (critic.agent), which is what an agent's number
 * appended to the state comes to: the product with the state is then computed once for all agents.
 */
export function actorCritic(sizes: NetworkSizes, config: NetworkConfig): ActorCritic {
  const { hidden, activation, layerNorm } = config;
  const trunk = { hidden, hiddenLayers: 2, activation, layerNorm };
  const inputs = config.critic === 'observation' ? sizes.obsDim : sizes.stateDim;
  const actor = {
    ...trunk,
    name: 'actor',
    inputs: sizes.obsDim,
    outputs: sizes.numActions,
    outputGain: 0.01,
  };
  const critic = { ...trunk, name: 'critic', inputs, outputs: 1, outputGain: 1 };
  const specs = config.recurrent ? recurrentParameters : mlpParameters;
  const layout = new ParameterLayout([...specs(actor), ...specs(critic), ...agentParameters(sizes, config)]);
  return { ...sizes, config, actor, critic, layout };
}

function agentParameters({ numAgents }: NetworkSizes, { critic, recurrent, hidden }: NetworkConfig) {
  if (critic !== 'state+agent') return [];
  const shape = recurrent ? ([hidden, numAgents] as const) : ([numAgents, hidden] as const);
  return [{ name: 'critic.agent', shape, initialise: () => new Float32Array(numAgents * hidden) }];
}

/** How many values the critic gives per copy and step before they are dealt to agents: A, or 1 where they share one. */
export function valuesPerCopy({ config, numAgents }: ActorCritic): number {
  return config.critic === 'state' ? 1 : numAgents;
}

/** Inputs of one pass: C units (copies) over L steps; rows lie step after step, agent after agent, unit after unit. */
export interface PassInputs {
  readonly numSteps: number;
  readonly numUnits: number;
  /** [L·A·C,O+1], whose last column is 1. */
  readonly obs: Tensor;
  /** [L·C,S+1], whose last column is 1; for critics of the state. */
  readonly state?: Tensor;
  /** Recurrent networks: [A·C,H] of the actor, [k·C,H] of the critic (k of `valuesPerCopy`). */
  readonly actorHidden?: Tensor;
  readonly criticHidden?: Tensor;
  /** [1,L·A·C]: 0 where an episode begins. */
  readonly keep?: Tensor;
}

/** What a network gives: outputs in columns, and the memory after the last step in rows. */
interface Pass {
  readonly output: Tensor;
  readonly nextHidden: Tensor | null;
}

/** Shape: output [N,L·A·C] logits before the mask, nextHidden [A·C,H]. */
export function applyActor(
  g: Graph,
  net: ActorCritic,
  parameters: ReadonlyMap<string, Tensor>,
  inputs: PassInputs,
): Pass {
  const { actor, config } = net;
  if (!config.recurrent) return { output: applyMlp(g, actor, parameters, inputs.obs), nextHidden: null };
  const first = firstColumns(g, actor, parameters, inputs.obs);
  return unroll(g, actor, parameters, first, inputs, inputs.actorHidden, inputs.keep);
}

/** Shape: output [1,L·A·C], in the critic's units; nextHidden [k·C,H]. */
export function applyCritic(
  g: Graph,
  net: ActorCritic,
  parameters: ReadonlyMap<string, Tensor>,
  inputs: PassInputs,
): Pass {
  const { critic, config, numAgents } = net;
  if (config.critic === 'observation') {
    if (!config.recurrent) return { output: applyMlp(g, critic, parameters, inputs.obs), nextHidden: null };
    const first = firstColumns(g, critic, parameters, inputs.obs);
    return unroll(g, critic, parameters, first, inputs, inputs.criticHidden, inputs.keep);
  }
  const state = required(inputs.state, 'state');
  const isPerAgent = config.critic === 'state+agent';
  const { numSteps, numUnits } = inputs;
  if (!config.recurrent) {
    const product = firstProduct(g, critic, parameters, state);
    const first = isPerAgent
      ? addAgentRows(g, product, required(parameters.get('critic.agent'), 'critic.agent'))
      : product;
    const output = finishMlp(g, critic, parameters, first);
    return { output: isPerAgent ? output : repeatUnits(g, output, numAgents, 1), nextHidden: null };
  }
  const product = firstColumns(g, critic, parameters, state);
  const agents = parameters.get('critic.agent');
  const first = isPerAgent
    ? addAgentColumns(g, product, required(agents, 'critic.agent'), numSteps)
    : product;
  // Episodes begin for all agents of a copy at once: the marks of the first agent are those of the copy.
  const keep =
    inputs.keep && !isPerAgent ? firstAgentOnly(g, inputs.keep, numSteps, numAgents, numUnits) : inputs.keep;
  const pass = unroll(g, critic, parameters, first, inputs, inputs.criticHidden, keep);
  return isPerAgent ? pass : { ...pass, output: repeatUnits(g, pass.output, numAgents, numSteps) };
}

function unroll(
  g: Graph,
  shape: RecurrentShape,
  parameters: ReadonlyMap<string, Tensor>,
  first: Tensor,
  { numSteps }: PassInputs,
  hidden: Tensor | undefined,
  keep: Tensor | undefined,
): Pass {
  const h0 = g.transpose(required(hidden, `hidden state of ${shape.name}`), [1, 0]);
  const { output, last } = finishRecurrent(g, shape, parameters, first, {
    h0,
    numSteps,
    ...(keep && { keep }),
  });
  return { output, nextHidden: g.transpose(last, [1, 0]) };
}

/**
 * product [C,H] + one row of agents [A,H] each -> [A·C,H], agent after agent. As a product with the agents' marks that
 * starts from the repeated rows: forward and back it is a few kernels over whole matrices.
 */
function addAgentRows(g: Graph, product: Tensor, agents: Tensor): Tensor {
  const [count = 0, hidden = 0] = product.shape;
  const numAgents = agents.shape[0] as number;
  const flat = g.broadcastTo(g.reshape(product, [1, count * hidden]), [numAgents, count * hidden]);
  const marks = Float32Array.from({ length: numAgents * count * numAgents }, (_, i) =>
    Number(Math.floor(i / numAgents / count) === i % numAgents),
  );
  const isAgent = g.constant(marks, [numAgents * count, numAgents], product.type);
  return g.linear(isAgent, agents, g.reshape(flat, [numAgents * count, hidden]));
}

/** product [H,L·C] + one column of agents [H,A] each -> [H,L·A·C]. */
function addAgentColumns(g: Graph, product: Tensor, agents: Tensor, numSteps: number): Tensor {
  const count = agents.shape[1] as number;
  const columns = g.split(agents, Array<number>(count).fill(1), 1);
  return interleave(
    g,
    columns.map((column) => g.add(product, column)),
    numSteps,
  );
}

/** values [1,L·C] -> [1,L·A·C], the same for every agent. */
function repeatUnits(g: Graph, values: Tensor, numAgents: number, numSteps: number): Tensor {
  return interleave(g, Array<Tensor>(numAgents).fill(values), numSteps);
}

/** One tensor [K,L·C] per agent -> [K,L·A·C]: step after step, agent after agent. */
function interleave(g: Graph, perAgent: readonly Tensor[], numSteps: number): Tensor {
  const [height = 0, width = 0] = (perAgent[0] as Tensor).shape;
  if (numSteps === 1) return g.concat(perAgent, 1);
  const apart = perAgent.map((part) => g.reshape(part, [height, numSteps, width / numSteps]));
  return g.reshape(g.concat(apart, 2), [height, width * perAgent.length]);
}

/** keep [1,L·A·C] -> [1,L·C]. */
function firstAgentOnly(
  g: Graph,
  keep: Tensor,
  numSteps: number,
  numAgents: number,
  numUnits: number,
): Tensor {
  if (numAgents === 1) return keep;
  const apart = g.reshape(keep, [numSteps, numAgents * numUnits]);
  const [first] = g.split(apart, [numUnits, (numAgents - 1) * numUnits], 1) as [Tensor, Tensor];
  return g.reshape(first, [1, numSteps * numUnits]);
}

function required(tensor: Tensor | undefined, name: string): Tensor {
  if (tensor === undefined) throw new RangeError(`the pass has no ${name}`);
  return tensor;
}
