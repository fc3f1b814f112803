import { isOnPolicy, type OnPolicyConfig, stepsPerIteration } from '../../shared/rl/learner-config.ts';
import type { ManifestGroup } from '../../shared/rl/manifest.ts';
import { playersOf } from '../../shared/rl/players.ts';
import { checkLearner } from '../learn/index.ts';
import type { Path } from '../yaml/index.ts';
import type { ArmSpec } from './experiment-types.ts';
import { inGibibytes, learnerMemory, maxLearnerBytes } from './learner-memory.ts';
import type { CheckContext } from './load-environment.ts';

/** Whether an arm's learner can train in the arm's environment, and fits into memory. */
export function checkArmLearner(context: CheckContext, arm: ArmSpec, index: number): void {
  const { manifest } = arm.environment.compiled;
  const groups = groupsThatLearn(context, arm);
  const problems = checkLearner(arm.learner, { groups, episodeLength: manifest.episodeLength });
  for (const { setting, message } of problems) {
    context.report(placeOf(context, index, setting), `${setting} of arm "${arm.name}": ${message}`);
  }
  if (problems.length > 0) return;
  checkMemory(context, arm, index, groups);
  if (isOnPolicy(arm.learner)) checkMinibatch(context, arm, arm.learner, index, groups);
}

function groupsThatLearn({ file }: CheckContext, { environment }: ArmSpec): ManifestGroup[] {
  const { manifest, spec } = environment.compiled;
  const players = playersOf(manifest, spec.scripted, file.opponents);
  return manifest.groups.filter(({ name }) => !Object.hasOwn(players, name));
}

function checkMemory(
  context: CheckContext,
  arm: ArmSpec,
  index: number,
  groups: readonly ManifestGroup[],
): void {
  const { experience, step } = learnerMemory(arm.learner, groups, arm.environment.compiled.manifest);
  const needed = Math.max(experience, step);
  if (needed <= maxLearnerBytes) return;
  const { file, report } = context;
  const isCommon = (setting: 'numEnvs' | 'numSteps'): boolean => file.learner?.[setting] !== undefined;
  const complain = (setting: string, purpose: string, advice: string): void =>
    report(
      placeOf(context, index, setting),
      `arm "${arm.name}" needs ${inGibibytes(needed)} for ${purpose}, at most ${inGibibytes(maxLearnerBytes)} are given; ${advice}`,
    );
  if (!isOnPolicy(arm.learner)) {
    if (experience > step) {
      complain(
        'bufferEpisodes',
        'the replay (bufferEpisodes × steps of an episode)',
        'lower bufferEpisodes or numEnvs',
      );
    } else {
      const purpose = 'a gradient step (batchEpisodes × steps of an episode × agents × hidden)';
      complain('batchEpisodes', purpose, 'lower batchEpisodes or hidden');
    }
  } else if (experience > step) {
    const key = !isCommon('numEnvs') && isCommon('numSteps') ? 'numSteps' : 'numEnvs';
    complain(key, 'one iteration (numEnvs × numSteps × agents)', 'lower numEnvs or numSteps');
  } else {
    complain('minibatchSize', 'a gradient step (minibatchSize × hidden)', 'lower minibatchSize or hidden');
  }
}

function checkMinibatch(
  context: CheckContext,
  arm: ArmSpec,
  config: OnPolicyConfig,
  index: number,
  groups: readonly ManifestGroup[],
): void {
  const rows = stepsPerIteration(config) * Math.max(1, ...groups.map(({ agents }) => agents.length));
  if (config.minibatchSize <= rows || !isWritten(context, index, 'minibatchSize')) return;
  context.report(
    placeOf(context, index, 'minibatchSize'),
    `minibatchSize ${config.minibatchSize} of arm "${arm.name}" is more than one iteration gives (numEnvs × numSteps × agents of a group = ${rows})`,
  );
}

/** Whether the file says it itself: a preset's "all in one" is no slip. */
function isWritten({ file }: CheckContext, index: number, setting: string): boolean {
  return [file.learner, file.arms?.[index]?.learner].some((block) => Object.hasOwn(block ?? {}, setting));
}

/** Where the setting is written: in the arm, or in the common block; else where it would stand. */
function placeOf({ file }: CheckContext, index: number, setting: string): Path {
  const isOwn = Object.hasOwn(file.arms?.[index]?.learner ?? {}, setting);
  const isCommon = Object.hasOwn(file.learner ?? {}, setting);
  if (isOwn || !isCommon) return [...(file.arms === undefined ? [] : ['arms', index]), 'learner', setting];
  return ['learner', setting];
}
