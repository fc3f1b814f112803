import {
  isOnPolicy,
  type LearnerConfig,
  type OnPolicyConfig,
  stepsPerIteration,
  type ValueConfig,
} from '../../shared/rl/learner-config.ts';
import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';

/** Of experience, and of a gradient step. The same on every machine, so that a file that is sound here is sound there. */
export const maxLearnerBytes = 4 * 1024 ** 3;

type GroupShape = Pick<ManifestGroup, 'agents' | 'obsDim' | 'numActions'>;
type Shape = Pick<ScenarioManifest, 'stateDim' | 'episodeLength'>;

/** Bytes that a learner takes, about. */
export interface LearnerMemory {
  /** What it keeps of experience: a rollout, or a replay. */
  readonly experience: number;
  /** What one gradient step takes: parameters with their moments, and what is kept of a batch for the way back. */
  readonly step: number;
}

export function learnerMemory(
  config: LearnerConfig,
  groups: readonly GroupShape[],
  shape: Shape,
): LearnerMemory {
  return isOnPolicy(config)
    ? { experience: rolloutBytes(config, groups, shape), step: onPolicyStepBytes(config, groups, shape) }
    : { experience: replayBytes(config, groups, shape), step: valueStepBytes(config, groups, shape) };
}

/**
 * What one iteration keeps of every row (copy × step × agent): observation with its bias, legal actions and eight numbers as
 * collected, and once more as dealt out into minibatches; a central critic's state per copy and step, a recurrent
 * network's memory per chunk, both twice.
 */
function rolloutBytes(config: OnPolicyConfig, groups: readonly GroupShape[], { stateDim }: Shape): number {
  const steps = stepsPerIteration(config);
  const memory = config.recurrent ? (2 * 4 * config.hidden) / config.chunkLength : 0;
  const state = config.critic === 'observation' ? 0 : 4 * (stateDim + 1);
  return groups.reduce((sum, { agents, obsDim, numActions }) => {
    const collected = 4 * (obsDim + 1) + numActions + 8 * 4;
    const dealt = 4 * (obsDim + 1) + 4 * numActions + 6 * 4;
    return sum + steps * (agents.length * (collected + dealt + 2 * memory) + 2 * state);
  }, 0);
}

/**
 * What the replay keeps of every step, the episodes that are being played, and one batch of episodes as networks see it. States
 * of a full replay are packed to less than the global state takes in f64, in every scenario measured; those of episodes being
 * played are open, of some three times as many words.
 */
function replayBytes(
  { bufferEpisodes, batchEpisodes, numEnvs, obsLastAction, obsAgentId }: ValueConfig,
  groups: readonly GroupShape[],
  { stateDim, episodeLength }: Shape,
): number {
  const numAgents = groups.reduce((sum, { agents }) => sum + agents.length, 0);
  const kept = 8 * stateDim + (2 + 4) * numAgents;
  const seen = groups.reduce((sum, { agents, obsDim, numActions }) => {
    const inputs = obsDim + (obsLastAction ? numActions : 0) + (obsAgentId ? agents.length : 0) + 1;
    return sum + agents.length * 4 * (inputs + numActions + 2);
  }, 4 * stateDim);
  return (episodeLength + 1) * (bufferEpisodes * kept + numEnvs * 3 * kept + batchEpisodes * seen);
}

/** Two sides of parameters and two moments, and what gradients and optimiser go through. */
const bytesPerParameter = 56;
/** Numbers per row and hidden unit that the way back needs, of actor and critic or of one agent network with its target. Measured. */
const keptPerUnit = { actorCritic: 20, recurrentActorCritic: 96, agent: 20, recurrentAgent: 48 } as const;

/** Parameters of two layers of `hidden` units, the second with memory or not, and an output. */
function networkSize(inputs: number, hidden: number, outputs: number, isRecurrent: boolean): number {
  return (inputs + 1) * hidden + (isRecurrent ? 6 : 1) * hidden ** 2 + (hidden + 1) * outputs;
}

function onPolicyStepBytes(
  config: OnPolicyConfig,
  groups: readonly GroupShape[],
  { stateDim }: Shape,
): number {
  const { hidden, recurrent, critic, minibatchSize } = config;
  const perUnit = recurrent ? keptPerUnit.recurrentActorCritic : keptPerUnit.actorCritic;
  const steps = stepsPerIteration(config);
  return groups.reduce((sum, { agents, obsDim, numActions }) => {
    const size =
      networkSize(obsDim, hidden, numActions, recurrent) +
      networkSize(critic === 'observation' ? obsDim : stateDim, hidden, 1, recurrent);
    const rows = Math.min(minibatchSize, steps * agents.length);
    return sum + bytesPerParameter * size + 4 * perUnit * hidden * rows;
  }, 0);
}

function valueStepBytes(
  config: ValueConfig,
  groups: readonly GroupShape[],
  { stateDim, episodeLength }: Shape,
): number {
  const { algorithm, hidden, recurrent, batchEpisodes, mixingEmbed, hypernetEmbed } = config;
  const perUnit = recurrent ? keptPerUnit.recurrentAgent : keptPerUnit.agent;
  const moments = batchEpisodes * (episodeLength + 1);
  const agents = groups.reduce((sum, group) => sum + group.agents.length, 0);
  const ofGroups = groups.reduce((sum, group) => {
    const inputs = group.obsDim + group.numActions + group.agents.length;
    const size = networkSize(inputs, hidden, group.numActions, recurrent);
    return sum + bytesPerParameter * size + 4 * perUnit * hidden * moments * group.agents.length;
  }, 0);
  if (algorithm === 'vdn') return ofGroups;
  const generated = (agents + 1) * mixingEmbed;
  const mixer = (stateDim + 1) * 2 * (hypernetEmbed + mixingEmbed) + (hypernetEmbed + 1) * generated;
  return ofGroups + bytesPerParameter * mixer + 4 * 6 * (generated + 2 * hypernetEmbed) * moments;
}

/** "5.2 GiB" */
export function inGibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toPrecision(3)} GiB`;
}
