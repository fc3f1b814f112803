import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import type { PolicyExtra } from '../../../../shared/rl/policy-metadata.ts';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import { type GroupView, viewOf } from '../../data/rollout-buffer.ts';
import type { Mixer } from '../../nn/mixer.ts';
import { ParameterLayout } from '../../nn/parameters.ts';
import { type QNetwork, qNetworkParameters } from '../../nn/q-network.ts';
import { learnedGroups } from '../learned-groups.ts';

/** One group of the team: its agents share a network. */
export interface TeamGroup {
  readonly name: string;
  readonly view: GroupView;
  readonly net: QNetwork;
  /** What the network sees beside the observation, in this order. */
  readonly extras: readonly PolicyExtra[];
}

/** All agents that learn, as one team: a network per group and one mixer, in one parameter vector. */
export interface ValueNetwork {
  readonly groups: readonly TeamGroup[];
  readonly numAgents: number;
  readonly stateDim: number;
  readonly mixer: Mixer;
  readonly layout: ParameterLayout;
}

/** Makes the mixer of a team. */
export type CreateMixer = (shape: {
  readonly numAgents: number;
  readonly stateDim: number;
  readonly config: ValueConfig;
}) => Mixer;

export function valueNetwork(
  env: Pick<VecEnv, 'manifest' | 'spec' | 'stateDim'>,
  config: ValueConfig,
  createMixer: CreateMixer,
): ValueNetwork {
  const groups = learnedGroups(env).map((group): TeamGroup => {
    const view = viewOf(group);
    const extras: PolicyExtra[] = [
      ...(config.obsLastAction ? (['lastAction'] as const) : []),
      ...(config.obsAgentId ? (['agentId'] as const) : []),
    ];
    const net = {
      name: group.name,
      inputs: inputWidth(view, extras),
      hidden: config.hidden,
      numActions: view.numActions,
      isRecurrent: config.recurrent,
    };
    return { name: group.name, view, net, extras };
  });
  const numAgents = groups.reduce((sum, { view }) => sum + view.numAgents, 0);
  const mixer = createMixer({ numAgents, stateDim: env.stateDim, config });
  const layout = new ParameterLayout([
    ...groups.flatMap(({ net }) => qNetworkParameters(net)),
    ...mixer.parameters,
  ]);
  return { groups, numAgents, stateDim: env.stateDim, mixer, layout };
}

function inputWidth({ obsDim, numActions, numAgents }: GroupView, extras: readonly PolicyExtra[]): number {
  const widths = { lastAction: numActions, agentId: numAgents };
  return extras.reduce((sum, extra) => sum + widths[extra], obsDim);
}

/**
 * Writes what the network sees of one agent into target[to..]: observation, the action before as one-hot (nothing for -1),
 * its place in the group as one-hot, and the 1 that biases meet. Returns the end.
 */
export function writeInput(
  { view, extras }: Pick<TeamGroup, 'view' | 'extras'>,
  obs: Float32Array,
  from: number,
  lastAction: number,
  agent: number,
  target: Float32Array,
  to: number,
): number {
  let at = to;
  for (let k = 0; k < view.obsDim; k++) target[at++] = obs[from + k] as number;
  for (const extra of extras) {
    const width = extra === 'lastAction' ? view.numActions : view.numAgents;
    const hot = extra === 'lastAction' ? lastAction : agent;
    target.fill(0, at, at + width);
    if (hot >= 0) target[at + hot] = 1;
    at += width;
  }
  target[at++] = 1;
  return at;
}
