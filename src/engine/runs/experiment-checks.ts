import { environmentMetrics } from '../../shared/rl/environment-metrics.ts';
import { stepsPerIteration } from '../../shared/rl/learner-config.ts';
import { playersOf } from '../../shared/rl/players.ts';
import type { CoachConfig } from '../coach/config.ts';
import { addressFault, isOpenRoad } from '../coach/providers/http/endpoint-url.ts';
import type { CompiledEnvironment } from '../edl/types.ts';
import { type Path, suggest } from '../yaml/index.ts';
import { checkArmLearner } from './experiment-learner-checks.ts';
import { checkOpponents, checkPlayers } from './experiment-players.ts';
import {
  type CoachBlock,
  coachDefaults,
  type ExperimentFile,
  evaluateDefaults,
} from './experiment-schema.ts';
import type { ArmSpec, EnvironmentSource, ObjectiveSpec } from './experiment-types.ts';
import { type CheckContext, readOrReport } from './load-environment.ts';
import { canTakeEffect } from './request-proposal.ts';
import { shapeDifference } from './shape-difference.ts';

/** The objective with its direction; null once the reason is reported. */
export function checkObjective(
  context: CheckContext,
  environment: EnvironmentSource,
  training: EnvironmentSource,
): ObjectiveSpec | null {
  const { file, report } = context;
  const { metric, group, opponents, words } = file.objective;
  const place: Path = ['objective'];
  const { compiled } = environment;
  // Who plays in training plays here too, but for groups that the environment itself plays.
  const inherited = Object.entries(file.opponents ?? {}).filter(
    ([name]) => !Object.hasOwn(compiled.spec.scripted, name),
  );
  const scripted = { ...Object.fromEntries(inherited), ...opponents };
  const where: Path = opponents === undefined ? ['opponents'] : [...place, 'opponents'];
  checkOpponents(context, scripted, compiled, where);
  checkOpponents(context, file.opponents ?? {}, training.compiled, ['opponents']);
  const better = directionOf(context, compiled);
  const names = environment.compiled.manifest.groups.map((each) => each.name);
  if (!names.includes(group)) {
    report(
      [...place, 'group'],
      `no group "${group}" in ${environment.compiled.manifest.name}${suggest(group, names)}`,
    );
    return null;
  }
  const player = playersOf(compiled.manifest, compiled.spec.scripted, scripted)[group];
  if (player !== undefined) {
    const isUsual = scripted[group] === undefined && player !== 'npc';
    const hint = isUsual ? `; "opponents: {${group}: learner}" leaves it to the learner` : '';
    const who = player === 'npc' ? 'npc declarations of its environment' : `"${player}"`;
    report(
      [...place, 'group'],
      `group "${group}" is played by ${who}: an objective needs a group that learns${hint}`,
    );
    return null;
  }
  if (better === null) return null;
  return {
    metric,
    group,
    better,
    best: bestOf(context, compiled, better),
    words: words ?? '',
    environment,
    opponents: scripted,
    episodes: file.evaluate?.episodes ?? evaluateDefaults.episodes,
  };
}

/** What the file says; of a share, its end. */
function bestOf(
  { file }: CheckContext,
  { manifest, spec }: Pick<CompiledEnvironment, 'manifest' | 'spec'>,
  better: 'higher' | 'lower',
): number | null {
  const { metric, best } = file.objective;
  if (best !== undefined) return best;
  const found = environmentMetrics(manifest, spec.program).find(({ name }) => name === metric);
  if (found === undefined || found.min !== 0 || found.max !== 1) return null;
  return better === 'higher' ? 1 : 0;
}

function directionOf(
  context: CheckContext,
  { manifest, spec }: Pick<CompiledEnvironment, 'manifest' | 'spec'>,
): 'higher' | 'lower' | null {
  const { metric, better } = context.file.objective;
  if (metric === 'episode_return') return better ?? 'higher';
  const metrics = environmentMetrics(manifest, spec.program);
  const found = metrics.find((each) => each.name === metric);
  if (found === undefined) {
    const names = ['episode_return', ...metrics.map((each) => each.name)];
    context.report(
      ['objective', 'metric'],
      `no metric "${metric}" in the objective's environment (${manifest.name})${suggest(metric, names)}`,
    );
    return null;
  }
  if (better !== undefined) return better;
  if (found.better !== 'neither') return found.better;
  context.report(
    ['objective', 'metric'],
    `"${metric}" has no better side of its own: add "better: higher" or "better: lower"`,
  );
  return null;
}

/** What of an arm can only be seen with everything filled in: shapes, budget against iteration, coach files. */
export function checkArm(
  context: CheckContext,
  arm: ArmSpec,
  index: number,
  objective: EnvironmentSource,
): void {
  const { file, report } = context;
  const place: Path = file.arms === undefined ? [] : ['arms', index];
  const difference = shapeDifference(arm.environment.compiled.manifest, objective.compiled.manifest);
  if (difference !== null) {
    const { capacities } = arm.environment.compiled.manifest;
    const hint = capacities.length > 0 ? ' ("capacity SET N" in both makes them alike)' : '';
    report(
      [...place, 'environment'],
      `${difference}; a policy trained in one could not play the other${hint}`,
    );
  }
  if (file.arms?.[index]?.environment !== undefined) {
    checkOpponents(context, file.opponents ?? {}, arm.environment.compiled, [...place, 'environment']);
  }
  checkPlayers(context, arm, objective, place);
  checkStages(context, arm);
  checkBudget(context, arm);
  checkArmLearner(context, arm, index);
  checkLag(context, arm, place);
  checkCoachFiles(context, arm, place);
}

/** An answer that is due after the last boundary can change nothing, so nobody would ever be asked. */
function checkLag({ file, host, report }: CheckContext, arm: ArmSpec, place: Path): void {
  const { provider, lag } = arm.coach;
  const { rounds } = file.budget;
  if (provider === 'none' || lag === 0 || host.isUnderway === true || canTakeEffect(lag, 0, rounds)) return;
  const fitting = rounds < 3 ? 'write "lag: 0"' : `lower lag to ${rounds - 2} or less`;
  report(
    coachPath(file, arm, place)('lag'),
    `answers with "lag: ${lag}" come too late in ${rounds} rounds: the coach of arm "${arm.name}" would never be asked; ` +
      `${fitting}, or raise rounds to ${lag + 2} or more`,
  );
}

/** Where a key of an arm's coach stands: in its own block, else in the common one. */
function coachPath(file: ExperimentFile, arm: ArmSpec, place: Path): (key: keyof CoachBlock) => Path {
  const own = file.arms?.find((entry) => entry.name === arm.name)?.coach;
  return (key) =>
    typeof own === 'object' && own[key] !== undefined ? [...place, 'coach', key] : ['coach', key];
}

/** A stage changes at the end of a round. */
function checkStages({ file, report }: CheckContext, arm: ArmSpec): void {
  const { stages, name } = arm.environment.compiled;
  const { rounds } = file.budget;
  if (stages.length <= rounds) return;
  report(
    ['budget', 'rounds'],
    `${rounds} rounds never reach the last of the ${stages.length} stages of "${name}": a stage gives way at the end of a round`,
  );
}

function checkBudget({ file, report }: CheckContext, arm: ArmSpec): void {
  const { steps, rounds } = file.budget;
  const iteration = stepsPerIteration(arm.learner);
  if (steps / rounds >= iteration) return;
  report(
    ['budget', 'steps'],
    `${steps} steps in ${rounds} rounds leave ${Math.floor(steps / rounds)} a round, less than one iteration of arm ` +
      `"${arm.name}" (numEnvs × numSteps = ${iteration}); raise the budget or lower numEnvs, numSteps or rounds`,
  );
}

function checkCoachFiles({ file, host, report }: CheckContext, arm: ArmSpec, place: Path): void {
  const { coach } = arm;
  if (coach.provider === 'none') return;
  const own = file.arms?.find((entry) => entry.name === arm.name)?.coach;
  const where = coachPath(file, arm, place);
  const reportNoModel = (meaning: string): void => {
    const foreign = foreignModel(file.coach, own);
    const message = `provider "${coach.provider}" needs "model": ${meaning}`;
    if (foreign === null) report(where('model'), message);
    else
      report(
        where('provider'),
        `${message}; "${foreign.model}" is for ${foreign.provider}, name its own beside it`,
      );
  };
  if (coach.provider === 'llama') {
    if (coach.model === null) reportNoModel('the path of a GGUF file');
    else if (!host.exists(coach.model)) report(where('model'), `there is no model file "${coach.model}"`);
  }
  for (const { file: adapter } of coach.llama?.adapters ?? []) {
    if (!host.exists(adapter))
      report([...where('llama'), 'adapters'], `there is no adapter file "${adapter}"`);
  }
  if (coach.provider === 'http') {
    if (coach.model === null) reportNoModel('the name it has at the endpoint');
    checkEndpoint(coach, report, where);
  }
  if (coach.provider === 'learned') {
    if (coach.model === null) reportNoModel('the file that `gymwright coach learn` wrote');
    else if (!host.exists(coach.model)) report(where('model'), `there is no ranker "${coach.model}"`);
    if (coach.scorer !== undefined && !host.exists(coach.scorer))
      report(where('scorer'), `there is no model file "${coach.scorer}"`);
  }
  if (coach.prompt === null) return;
  const text = readOrReport({ host, report }, coach.prompt, where('prompt'));
  if (text === undefined) return;
  if (text === null) report(where('prompt'), `there is no prompt file "${coach.prompt}" in the workspace`);
  else
    for (const finding of host.checkPrompt?.(text) ?? [])
      report(where('prompt'), `${coach.prompt}: ${finding}`);
}

/** A model of the common block that an arm with another provider does not inherit. */
function foreignModel(
  common: ExperimentFile['coach'],
  own: ExperimentFile['coach'],
): { readonly model: string; readonly provider: string } | null {
  if (typeof common !== 'object' || typeof own !== 'object' || common.model === undefined) return null;
  const { model, provider = coachDefaults.provider } = common;
  return own.provider === undefined || own.provider === provider ? null : { model, provider };
}

function checkEndpoint(
  { http, proposing }: CoachConfig,
  report: CheckContext['report'],
  where: (key: 'http' | 'proposing') => Path,
): void {
  if (proposing === 'rank')
    report(
      where('proposing'),
      'an endpoint tells no probabilities of given texts: ranking needs provider "llama"',
    );
  const url = http?.url ?? null;
  if (url === null) {
    report(where('http'), 'provider "http" needs "http: {url: …}", the address up to /chat/completions');
    return;
  }
  const fault = addressFault(url);
  if (fault !== null) report([...where('http'), 'url'], fault);
  else if (http?.key != null && isOpenRoad(url))
    report([...where('http'), 'url'], 'a key is not sent over http to another machine: use https');
}
