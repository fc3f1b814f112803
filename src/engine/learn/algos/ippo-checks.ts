import type { LearnerConfig } from '../../../shared/rl/learner.ts';
import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';

/** Groups that learn: all but those a built-in policy plays. */
export function learnedGroups(env: VecEnv): ManifestGroup[] {
  return env.manifest.groups.filter((group) => env.spec.scripted[group.name] === undefined);
}

const ranges = {
  hidden: { min: 1, max: 4096, whole: true },
  numEnvs: { min: 1, max: 1e6, whole: true },
  numSteps: { min: 1, max: 1e5, whole: true },
  updateEpochs: { min: 1, max: 1000, whole: true },
  minibatchSize: { min: 2, max: 1e6, whole: true },
  learningRate: { min: 0, max: 1, whole: false },
  gamma: { min: 0, max: 1, whole: false },
  gaeLambda: { min: 0, max: 1, whole: false },
  clipCoef: { min: 0, max: 1, whole: false },
  entCoef: { min: 0, max: 10, whole: false },
  vfCoef: { min: 0, max: 100, whole: false },
  maxGradNorm: { min: 1e-6, max: 1e6, whole: false },
} as const;

/** Throws: RangeError that names the setting and its range. */
export function checkConfig(config: LearnerConfig, totalSteps: number | undefined): void {
  for (const [name, { min, max, whole }] of Object.entries(ranges)) {
    const value = config[name as keyof typeof ranges];
    if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
      throw new RangeError(
        `learner.${name} is ${value}; it must be ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}`,
      );
    }
  }
  if (config.annealLr && !(totalSteps !== undefined && totalSteps > 0)) {
    throw new RangeError('learner.annealLr needs totalSteps, the env-steps over which the rate falls to 0');
  }
}

/** Throws: RangeError when the batch does not fit the configuration, or differs in shape from `like`. */
export function checkEnvironment(env: VecEnv, config: LearnerConfig, like?: VecEnv): void {
  if (env.numEnvs !== config.numEnvs) {
    throw new RangeError(`the environment has ${env.numEnvs} copies, learner.numEnvs is ${config.numEnvs}`);
  }
  if (learnedGroups(env).length === 0) {
    throw new RangeError('every group of the environment is scripted: there is nothing to learn');
  }
  if (like === undefined) return;
  const [now, before] = [describeShapes(env), describeShapes(like)];
  if (now !== before) {
    throw new RangeError(`the new environment has other shapes: ${now} instead of ${before}`);
  }
}

/** Learned groups with their shapes, as text: equal texts fit the same networks and buffers. */
export function describeShapes(env: VecEnv): string {
  const groups = learnedGroups(env).map(
    ({ name, firstAgent, agents, obsDim, numActions }) =>
      `${name}[${firstAgent}+${agents.length}] obs ${obsDim} actions ${numActions}`,
  );
  return `${env.numAgents} agents; ${groups.join('; ')}`;
}
