import {
  isOnPolicy,
  type LearnerConfig,
  type OnPolicyConfig,
  stepsPerIteration,
  type ValueConfig,
} from '../../shared/rl/learner-config.ts';
import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';

/** The same on every machine, so that a file that is sound here is sound there. */
export const maxLearnerBytes = 4 * 1024 ** 3;

type GroupShape = Pick<ManifestGroup, 'agents' | 'obsDim' | 'numActions'>;
type Shape = Pick<ScenarioManifest, 'stateDim' | 'episodeLength'>;

/** What a learner keeps of experience: a rollout, or a replay. */
export function learnerBytes(config: LearnerConfig, groups: readonly GroupShape[], shape: Shape): number {
  return isOnPolicy(config) ? rolloutBytes(config, groups, shape) : replayBytes(config, groups, shape);
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
 * What the replay keeps of every step, and one batch of episodes as networks see it. Simulator states are packed to less than
 * the global state takes in f64, in every scenario measured; small replays, which stay open, are small.
 */
function replayBytes(
  { bufferEpisodes, batchEpisodes, obsLastAction, obsAgentId }: ValueConfig,
  groups: readonly GroupShape[],
  { stateDim, episodeLength }: Shape,
): number {
  const numAgents = groups.reduce((sum, { agents }) => sum + agents.length, 0);
  const kept = 8 * stateDim + (2 + 4) * numAgents;
  const seen = groups.reduce((sum, { agents, obsDim, numActions }) => {
    const inputs = obsDim + (obsLastAction ? numActions : 0) + (obsAgentId ? agents.length : 0) + 1;
    return sum + agents.length * 4 * (inputs + numActions + 2);
  }, 4 * stateDim);
  return (episodeLength + 1) * (bufferEpisodes * kept + batchEpisodes * seen);
}

/** "5.2 GiB" */
export function inGibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toPrecision(3)} GiB`;
}
