import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../src/engine/edl/index.ts';
import { createLearner, learnerCatalogue } from '../../src/engine/learn/index.ts';
import { type Evaluation, evaluatePolicies, openPolicy, type Policy } from '../../src/engine/policy/index.ts';
import { createVecEnv, plainSpec, scenarioManifest, scenarioNames } from '../../src/engine/sim/index.ts';
import type { Learner, LearnerConfig } from '../../src/shared/rl/learner.ts';
import { discountingOf } from '../../src/shared/rl/learner-config.ts';
import type { EnvironmentSpec } from '../../src/shared/rl/vec-env.ts';

/** What is learned, by whom, and how it is scored. */
export interface LearningCase {
  readonly preset: string;
  /** Over the preset. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Also as a reference library names it. */
  readonly scenario: string;
  /** An environment of `resources/environments`, without its ending, to train in; scored is the scenario as it is. */
  readonly trainedIn?: string;
  /** Of the scenario; choices by name. */
  readonly parameters?: Readonly<Record<string, number | string>>;
  /** Scripted policy per group; those groups do not learn. */
  readonly opponents?: Readonly<Record<string, string>>;
  /** Whose score; the first group that learns where absent. */
  readonly group?: string;
  /** `episode_return` (per agent) or a metric of the scenario. */
  readonly metric: string;
  /** Env-steps. */
  readonly steps: number;
  /** Env-steps between scores. */
  readonly every: number;
  /** Fixed episodes of a stream of their own, greedy, per score. */
  readonly episodes: number;
}

export interface SeedResult {
  readonly seed: number;
  /** Env-steps trained. */
  readonly steps: number;
  readonly score: number;
  /** Evaluations included, by the clock. */
  readonly stepsPerSecond: number;
  /** Of this process, evaluations included. */
  readonly stepsPerCpuSecond: number;
  /** At its largest, MiB. */
  readonly residentMemory: number;
  readonly parameterHash: string;
  /** Of the sources that trained; with "+" where they were not those of the commit. */
  readonly commit: string;
  readonly curve: readonly (readonly [step: number, score: number])[];
}

/** The stream that scores are taken on: the same episodes for every seed and every time. */
const evaluationSeed = 1_000_003n;

/** The settings a case is trained with. */
export function configOf({ preset, config }: LearningCase): LearnerConfig {
  const found = learnerCatalogue.presets[preset];
  if (found === undefined) {
    throw new Error(`no preset ${preset}; there are ${Object.keys(learnerCatalogue.presets).join(', ')}`);
  }
  return { ...found.config, ...config } as LearnerConfig;
}

function evaluatedSpec({ scenario, parameters = {}, opponents = {} }: LearningCase): EnvironmentSpec {
  const plain = plainSpec(scenario);
  const choices = new Map(
    scenarioManifest(plain.scenario, {}).parameters.map((each) => [each.name, each.choices]),
  );
  const numbers = Object.entries(parameters).map(([name, value]): [string, number] => [
    name,
    typeof value === 'number' ? value : (choices.get(name)?.indexOf(value) ?? -1),
  ]);
  return {
    ...plain,
    parameters: { ...plain.parameters, ...Object.fromEntries(numbers) },
    scripted: opponents,
  };
}

/** The text of an environment of `resources/environments`. */
export function trainedText(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../resources/environments', `${name}.edl`), 'utf8');
}

function currentCommit(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  const changed = git('status', '--porcelain', '--untracked-files=no', '../../src', '../../native');
  return commit === '' ? 'unknown' : `${commit}${changed === '' ? '' : '+'}`;
}

function trainedSpec(learningCase: LearningCase): EnvironmentSpec {
  const { trainedIn } = learningCase;
  const plain = evaluatedSpec(learningCase);
  if (trainedIn === undefined) return plain;
  const { environment, diagnostics } = compile(trainedText(trainedIn), {
    manifest: scenarioManifest,
    scenarioNames,
  });
  if (environment === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  const { spec } = environment;
  return { ...spec, parameters: { ...plain.parameters, ...spec.parameters }, scripted: plain.scripted };
}

/** Trains one seed to the case's end and scores it on the way. */
export async function trainSeed(
  learningCase: LearningCase,
  seed: number,
  onScore: (step: number, score: number) => void = () => {},
): Promise<SeedResult> {
  const config = configOf(learningCase);
  const commit = currentCommit();
  const env = createVecEnv(trainedSpec(learningCase), {
    numEnvs: config.numEnvs,
    seed: BigInt(seed),
    firstEpisode: 0,
    ...discountingOf(config),
  });
  const { steps: totalSteps, every } = learningCase;
  const learner = await createLearner({ env, config, seed, totalSteps });
  const started = performance.now();
  const usage = process.cpuUsage();
  const curve: [number, number][] = [];
  while (learner.trainedSteps < totalSteps) {
    await learner.iterate();
    if (learner.trainedSteps < (curve.length + 1) * every && learner.trainedSteps < totalSteps) continue;
    const value = await score(learner, learningCase);
    curve.push([learner.trainedSteps, value]);
    onScore(learner.trainedSteps, value);
  }
  const seconds = (performance.now() - started) / 1e3;
  const { user, system } = process.cpuUsage(usage);
  const result = {
    seed,
    steps: learner.trainedSteps,
    score: curve.at(-1)?.[1] ?? Number.NaN,
    stepsPerSecond: Math.round(learner.trainedSteps / seconds),
    stepsPerCpuSecond: Math.round(learner.trainedSteps / ((user + system) / 1e6)),
    residentMemory: Math.round(process.resourceUsage().maxRSS / 1024),
    parameterHash: learner.parameterHash(),
    commit,
    curve,
  };
  await learner.dispose();
  env.dispose();
  return result;
}

async function score(learner: Learner, learningCase: LearningCase): Promise<number> {
  const policies: Record<string, Policy> = {};
  for (const { group, onnx } of learner.policies()) policies[group] = await openPolicy(onnx);
  const evaluation = await evaluatePolicies({
    createEnv: (numEnvs) =>
      createVecEnv(evaluatedSpec(learningCase), { numEnvs, seed: evaluationSeed, firstEpisode: 0 }),
    policies,
    episodes: learningCase.episodes,
    seed: evaluationSeed,
  });
  for (const policy of Object.values(policies)) await policy.dispose();
  const group = learningCase.group ?? Object.keys(policies)[0] ?? '';
  return Math.round(scoreOf(evaluation, group, learningCase.metric) * 1000) / 1000;
}

function scoreOf({ groups }: Evaluation, group: string, metric: string): number {
  const result = groups[group];
  const series = metric === 'episode_return' ? result?.episodeReturn : result?.metrics[metric];
  if (series === undefined) throw new Error(`group "${group}" has no ${metric}`);
  return series.mean;
}
