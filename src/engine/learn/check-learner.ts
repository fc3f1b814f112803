import {
  isOnPolicy,
  type LearnerConfig,
  learnerConfig,
  type OnPolicyConfig,
  type ValueConfig,
} from '../../shared/rl/learner-config.ts';
import type { ManifestGroup } from '../../shared/rl/manifest.ts';
import { learnedGroups } from './algos/learned-groups.ts';
import type { LearnerOptions } from './create-learner.ts';

/** A setting that cannot be used, and why; the sentence continues after the setting's name. */
export interface LearnerProblem {
  readonly setting: string;
  readonly message: string;
}

/** What of an environment a learner has to fit. */
export interface LearnerTask {
  /** Groups that learn. */
  readonly groups: readonly ManifestGroup[];
  readonly episodeLength: number;
}

/** Everything that is wrong with a configuration for an environment; empty when it can train. */
export function checkLearner(config: LearnerConfig, task: LearnerTask): LearnerProblem[] {
  const problems = checkRanges(config);
  if (problems.length > 0) return problems;
  const { groups } = task;
  if (groups.length === 0) {
    return [
      {
        setting: 'algorithm',
        message: 'has nothing to learn: every group of the environment is played by others',
      },
    ];
  }
  return isOnPolicy(config) ? checkOnPolicy(config, task) : checkValue(config);
}

function checkRanges(config: LearnerConfig): LearnerProblem[] {
  const { success, error } = learnerConfig.safeParse(config);
  if (success) return [];
  return error.issues.map(({ path, message, code }) => {
    const setting = path.join('.') || 'config';
    const value = (config as Readonly<Record<string, unknown>>)[setting];
    const found = code === 'unrecognized_keys' ? '' : `is ${String(value)}: `;
    return { setting, message: `${found}${message}` };
  });
}

function checkValue(config: ValueConfig): LearnerProblem[] {
  const { algorithm, batchEpisodes, bufferEpisodes, learningStarts } = config;
  const needed = Math.max(batchEpisodes, learningStarts);
  if (bufferEpisodes < needed) {
    const by = learningStarts > batchEpisodes ? 'learningStarts' : 'batchEpisodes';
    return [{ setting: 'bufferEpisodes', message: `${bufferEpisodes} never reaches the ${needed} of ${by}` }];
  }
  if (config.targetNetworkFrequency === 0 && config.tau === 0) {
    const message = 'is 0 and targetNetworkFrequency too: the target networks would never follow';
    return [{ setting: 'tau', message }];
  }
  if (algorithm === 'vdn' && config.stateNorm) {
    return [{ setting: 'stateNorm', message: 'is about the state, which the sum of vdn does not see' }];
  }
  return [];
}

function checkOnPolicy(config: OnPolicyConfig, { groups, episodeLength }: LearnerTask): LearnerProblem[] {
  const { algorithm, critic, stateNorm } = config;
  const crowd = groups.find(({ agents }) => agents.length > 1);
  if (algorithm === 'ppo' && crowd !== undefined) {
    const message = `"ppo" is for single agents; group "${crowd.name}" has ${crowd.agents.length}: use ippo or mappo`;
    return [{ setting: 'algorithm', message }];
  }
  const isCentral = algorithm === 'mappo';
  if (isCentral === (critic === 'observation')) {
    const message = isCentral
      ? '"observation" makes it IPPO: say algorithm ippo, or give the critic the state'
      : `"${critic}" belongs to mappo; ${algorithm} has a critic over observations`;
    return [{ setting: 'critic', message }];
  }
  if (!isCentral && stateNorm) {
    return [
      { setting: 'stateNorm', message: `is about the state, which the critic of ${algorithm} does not see` },
    ];
  }
  const problems = config.recurrent ? checkChunks(config, episodeLength) : [];
  return problems.length > 0 ? problems : checkUnits(config, groups);
}

/** Chunks, and the teams of a central critic, are not cut. */
function checkUnits(config: OnPolicyConfig, groups: readonly ManifestGroup[]): LearnerProblem[] {
  const { minibatchSize, recurrent, chunkLength, critic } = config;
  if (!recurrent && critic === 'observation') return [];
  const steps = recurrent ? chunkLength : 1;
  const agents = Math.max(...groups.map((group) => group.agents.length));
  if (minibatchSize >= steps * agents) return [];
  const unit = `${recurrent ? `a chunk of ${steps} steps` : 'a step'} of a team of ${agents}`;
  const message = `${minibatchSize} is less than ${unit} has rows (${steps * agents}), which stay together`;
  return [{ setting: 'minibatchSize', message }];
}

function checkChunks({ chunkLength, numSteps }: OnPolicyConfig, episodeLength: number): LearnerProblem[] {
  const setting = 'chunkLength';
  if (chunkLength > episodeLength) {
    return [{ setting, message: `${chunkLength} is more than an episode has (${episodeLength} steps)` }];
  }
  if (numSteps % chunkLength !== 0) {
    return [{ setting, message: `${chunkLength} does not divide numSteps (${numSteps})` }];
  }
  return [];
}

/** Throws: RangeError with every problem of the configuration, or when the copies are not as many as it says. */
export function requireLearnable({ env, config, totalSteps }: LearnerOptions): void {
  const { episodeLength } = env.manifest;
  const problems = checkLearner(config, { groups: learnedGroups(env), episodeLength });
  if (problems.length > 0) {
    throw new RangeError(problems.map(({ setting, message }) => `learner.${setting} ${message}`).join('; '));
  }
  if (env.numEnvs !== config.numEnvs) {
    throw new RangeError(`the environment has ${env.numEnvs} copies, learner.numEnvs is ${config.numEnvs}`);
  }
  if (config.annealLr && !(totalSteps !== undefined && totalSteps > 0)) {
    throw new RangeError('learner.annealLr needs totalSteps, the env-steps over which the rate falls to 0');
  }
}
