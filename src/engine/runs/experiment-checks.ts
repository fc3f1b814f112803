import type { ManifestGroup, ScenarioManifest } from '../../shared/rl/manifest.ts';
import { type Path, suggest } from '../yaml/index.ts';
import { type ExperimentFile, evaluateDefaults } from './experiment-schema.ts';
import type { ArmSpec, EnvironmentSource, ExperimentHost, ObjectiveSpec } from './experiment-types.ts';
import { inGibibytes, maxRolloutBytes, rolloutBytes } from './rollout-memory.ts';

/** What every check is given: the file as parsed, the world, and where findings go. */
export interface CheckContext {
  readonly host: ExperimentHost;
  readonly file: ExperimentFile;
  /** Sources by the name the file uses; null for those that have been reported already. */
  readonly loaded: Map<string, EnvironmentSource | null>;
  readonly report: (place: Path, message: string) => void;
}

/** Reads and compiles an EDL file or a bare scenario; null once the reason is reported. */
export function loadEnvironment(context: CheckContext, name: string, place: Path): EnvironmentSource | null {
  const known = context.loaded.get(name);
  if (known !== undefined) return known;
  const source = readSource(context, name, place);
  context.loaded.set(name, source);
  return source;
}

function readSource(context: CheckContext, name: string, place: Path): EnvironmentSource | null {
  const { host, report } = context;
  const isFile = name.endsWith('.edl');
  const text = isFile ? host.readText(name) : bareText(host, name);
  if (text === null) {
    const hint = isFile
      ? `there is no file "${name}" in the workspace`
      : `"${name}" is neither an .edl file nor a scenario${suggest(name, host.scenarios())}`;
    report(place, hint);
    return null;
  }
  const { diagnostics, environment } = host.edl.compile(text);
  if (environment === null) {
    for (const { code, message, range, severity } of diagnostics) {
      if (severity !== 'error') continue;
      report(place, `${name}:${range.start.line + 1}:${range.start.character + 1} ${code} ${message}`);
    }
    if (!diagnostics.some(({ severity }) => severity === 'error')) report(place, `${name} does not compile`);
    return null;
  }
  return { path: isFile ? name : null, text, compiled: environment };
}

function bareText(host: ExperimentHost, scenario: string): string | null {
  if (!host.scenarios().includes(scenario)) return null;
  return `environment plain extends ${scenario} {\n}\n`;
}

/** The objective with its direction; null once the reason is reported. */
export function checkObjective(
  context: CheckContext,
  environment: EnvironmentSource,
  training: EnvironmentSource,
): ObjectiveSpec | null {
  const { file, report } = context;
  const { metric, group, opponents, words } = file.objective;
  const place: Path = ['objective'];
  const scripted = { ...file.opponents, ...opponents };
  checkOpponents(
    context,
    scripted,
    environment.compiled.manifest,
    opponents === undefined ? ['opponents'] : [...place, 'opponents'],
  );
  checkOpponents(context, file.opponents ?? {}, training.compiled.manifest, ['opponents']);
  const better = directionOf(context, environment.compiled.manifest);
  const names = environment.compiled.manifest.groups.map((each) => each.name);
  if (!names.includes(group)) {
    report(
      [...place, 'group'],
      `no group "${group}" in ${environment.compiled.manifest.name}${suggest(group, names)}`,
    );
    return null;
  }
  if (Object.hasOwn(scripted, group)) {
    report(
      [...place, 'group'],
      `group "${group}" is played by "${scripted[group]}": an objective needs a group that learns`,
    );
    return null;
  }
  if (better === null) return null;
  return {
    metric,
    group,
    better,
    words: words ?? '',
    environment,
    opponents: scripted,
    episodes: file.evaluate?.episodes ?? evaluateDefaults.episodes,
  };
}

function directionOf(context: CheckContext, manifest: ScenarioManifest): 'higher' | 'lower' | null {
  const { metric, better } = context.file.objective;
  if (metric === 'episode_return') return better ?? 'higher';
  const found = manifest.metrics.find((each) => each.name === metric);
  if (found === undefined) {
    const names = ['episode_return', ...manifest.metrics.map((each) => each.name)];
    context.report(
      ['objective', 'metric'],
      `no metric "${metric}" in ${manifest.name}${suggest(metric, names)}`,
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

function checkOpponents(
  context: CheckContext,
  opponents: Readonly<Record<string, string>>,
  manifest: ScenarioManifest,
  place: Path,
): void {
  for (const [name, policy] of Object.entries(opponents)) {
    const group = manifest.groups.find((each) => each.name === name);
    if (group === undefined) {
      const names = manifest.groups.map((each) => each.name);
      context.report([...place, name], `no group "${name}" in ${manifest.name}${suggest(name, names)}`);
    } else if (!group.scripted.includes(policy)) {
      const reason = group.scripted.length === 0 ? ': it has none' : suggest(policy, group.scripted);
      context.report([...place, name], `group "${name}" has no built-in policy "${policy}"${reason}`);
    }
  }
  if (manifest.groups.every((group) => Object.hasOwn(opponents, group.name))) {
    context.report(place, `every group of ${manifest.name} is scripted: nothing is left to learn`);
  }
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
    report([...place, 'environment'], `${difference}; a policy trained in one could not play the other`);
  }
  checkBudget(context, arm, index, place);
  checkCoachFiles(context, arm, place);
}

function shapeDifference(training: ScenarioManifest, objective: ScenarioManifest): string | null {
  if (training.name !== objective.name) {
    return `scenario ${training.name} here, but ${objective.name} in the objective's environment`;
  }
  const describe = (group: ManifestGroup) =>
    `${group.name}: ${group.agents.length} agents, ${group.obsDim} observations, ${group.numActions} actions`;
  const a = training.groups.map(describe).join('; ');
  const b = objective.groups.map(describe).join('; ');
  return a === b ? null : `different shapes (${a}) than in the objective's environment (${b})`;
}

function checkBudget({ file, report }: CheckContext, arm: ArmSpec, index: number, place: Path): void {
  const { steps, rounds } = file.budget;
  const iteration = arm.learner.numEnvs * arm.learner.numSteps;
  if (steps / rounds < iteration) {
    report(
      ['budget', 'steps'],
      `${steps} steps in ${rounds} rounds leave ${Math.floor(steps / rounds)} a round, less than one iteration of arm ` +
        `"${arm.name}" (numEnvs × numSteps = ${iteration}); raise the budget or lower numEnvs, numSteps or rounds`,
    );
  }
  const groups = arm.environment.compiled.manifest.groups.filter(
    ({ name }) => !Object.hasOwn(file.opponents ?? {}, name),
  );
  const needed = rolloutBytes(arm.learner, groups);
  if (needed > maxRolloutBytes) {
    const key =
      file.learner?.numEnvs === undefined && file.learner?.numSteps !== undefined ? 'numSteps' : 'numEnvs';
    const isOwn = file.arms?.[index]?.learner?.[key] !== undefined;
    report(
      isOwn || file.learner?.[key] === undefined ? [...place, 'learner', key] : ['learner', key],
      `arm "${arm.name}" needs ${inGibibytes(needed)} for one iteration (numEnvs × numSteps × agents), at most ` +
        `${inGibibytes(maxRolloutBytes)} are given; lower numEnvs or numSteps`,
    );
  }
  const rows = iteration * Math.max(1, ...groups.map(({ agents }) => agents.length));
  if (arm.learner.minibatchSize > rows) {
    report(
      file.learner?.minibatchSize === undefined
        ? [...place, 'learner', 'minibatchSize']
        : ['learner', 'minibatchSize'],
      `minibatchSize ${arm.learner.minibatchSize} of arm "${arm.name}" is more than one iteration gives (numEnvs × numSteps × agents of a group = ${rows})`,
    );
  }
}

function checkCoachFiles({ file, host, report }: CheckContext, arm: ArmSpec, place: Path): void {
  const { coach } = arm;
  if (coach.provider === 'none') return;
  const own = file.arms?.find((entry) => entry.name === arm.name)?.coach;
  const where = (key: 'model' | 'prompt'): Path =>
    typeof own === 'object' && own[key] !== undefined ? [...place, 'coach', key] : ['coach', key];
  if (coach.provider === 'llama') {
    if (coach.model === null)
      report(where('model'), 'provider "llama" needs "model": the path of a GGUF file');
    else if (!host.exists(coach.model)) report(where('model'), `there is no model file "${coach.model}"`);
  }
  if (coach.prompt === null) return;
  const text = host.readText(coach.prompt);
  if (text === null) report(where('prompt'), `there is no prompt file "${coach.prompt}" in the workspace`);
  else
    for (const finding of host.checkPrompt?.(text) ?? [])
      report(where('prompt'), `${coach.prompt}: ${finding}`);
}
