/**
 * What a learner makes of a scenario: trains each seed and scores its greedy policies on fixed episodes of another stream.
 *
 *   npx node bench/learn-curve.ts --preset mappo-mpe --seeds 1,2,3,4,5 --steps 3000000
 *   npx node bench/learn-curve.ts --scenario simple_tag --opponents '{"good":"flee"}' --group adversary --steps 10000000
 *
 * Yardsticks on simple_spread, per agent: uniform random -26.5, scripted greedy assignment -8.9, threshold -10.5.
 */
import { parseArgs } from 'node:util';
import { createLearner, learnerCatalogue } from '../src/engine/learn/index.ts';
import { type Evaluation, evaluatePolicies, openPolicy, type Policy } from '../src/engine/policy/index.ts';
import { createVecEnv } from '../src/engine/sim/index.ts';
import type { Learner, LearnerConfig } from '../src/shared/rl/learner.ts';
import { type Figure, printReport } from './figure.ts';

const evaluationSeed = 1_000_003n;

const { values: args } = parseArgs({
  options: {
    preset: { type: 'string', default: 'ippo-mpe' },
    config: { type: 'string', default: '{}' },
    scenario: { type: 'string', default: 'simple_spread' },
    parameters: { type: 'string', default: '{}' },
    opponents: { type: 'string', default: '{}' },
    group: { type: 'string' },
    metric: { type: 'string', default: 'episode_return' },
    seeds: { type: 'string', default: '1,2,3,4,5' },
    steps: { type: 'string', default: '3000000' },
    episodes: { type: 'string', default: '1024' },
    every: { type: 'string', default: '500000' },
    'at-least': { type: 'string' },
  },
});
const preset = learnerCatalogue.presets[args.preset];
if (preset === undefined) {
  throw new Error(`no preset ${args.preset}; there are ${Object.keys(learnerCatalogue.presets).join(', ')}`);
}
const config: LearnerConfig = { ...preset.config, ...JSON.parse(args.config) };
const spec = {
  scenario: args.scenario,
  parameters: JSON.parse(args.parameters),
  program: null,
  scripted: JSON.parse(args.opponents),
};
const totalSteps = Number(args.steps);
const episodes = Number(args.episodes);

interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  readonly score: number;
  readonly stepsPerSecond: number;
  /** Of this process, evaluations included. */
  readonly stepsPerCpuSecond: number;
  readonly parameterHash: string;
  readonly curve: readonly (readonly [step: number, score: number])[];
}

async function score(learner: Learner): Promise<number> {
  const policies: Record<string, Policy> = {};
  for (const { group, onnx } of learner.policies()) policies[group] = await openPolicy(onnx);
  const evaluation = await evaluatePolicies({
    createEnv: (numEnvs) => createVecEnv(spec, { numEnvs, seed: evaluationSeed, firstEpisode: 0 }),
    policies,
    episodes,
    seed: evaluationSeed,
  });
  for (const policy of Object.values(policies)) await policy.dispose();
  return round(scoreOf(evaluation, args.group ?? Object.keys(policies)[0] ?? ''));
}

function scoreOf({ groups }: Evaluation, group: string): number {
  const result = groups[group];
  const series = args.metric === 'episode_return' ? result?.episodeReturn : result?.metrics[args.metric];
  if (series === undefined) throw new Error(`group "${group}" has no ${args.metric}`);
  return series.mean;
}

async function trainSeed(seed: number): Promise<SeedResult> {
  const env = createVecEnv(spec, {
    numEnvs: config.numEnvs,
    seed: BigInt(seed),
    firstEpisode: 0,
    gamma: config.gamma,
  });
  const learner = await createLearner({ env, config, seed, totalSteps });
  const started = performance.now();
  const usage = process.cpuUsage();
  const curve: [number, number][] = [];
  while (learner.trainedSteps < totalSteps) {
    await learner.iterate();
    const isDue = learner.trainedSteps >= (curve.length + 1) * Number(args.every);
    if (isDue) curve.push([learner.trainedSteps, await score(learner)]);
  }
  const seconds = (performance.now() - started) / 1e3;
  const { user, system } = process.cpuUsage(usage);
  const row = {
    seed,
    steps: learner.trainedSteps,
    score: await score(learner),
    stepsPerSecond: Math.round(learner.trainedSteps / seconds),
    stepsPerCpuSecond: Math.round(learner.trainedSteps / ((user + system) / 1e6)),
    parameterHash: learner.parameterHash(),
    curve,
  };
  await learner.dispose();
  env.dispose();
  process.stderr.write(
    `seed ${seed}: ${row.score} after ${row.steps} steps, ${row.stepsPerSecond} steps/s, ${row.stepsPerCpuSecond} per CPU second; ` +
      `${curve.map(([step, value]) => `${(step / 1e6).toFixed(2)}M ${value}`).join(', ')}\n`,
  );
  return row;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const rows: SeedResult[] = [];
for (const seed of args.seeds.split(',').map(Number)) rows.push(await trainSeed(seed));
const aim = args['at-least'] === undefined ? undefined : { atLeast: Number(args['at-least']) };
printReport({
  figures: rows.map(
    ({ seed, score: value }): Figure => ({
      name: `greedy ${args.metric}, ${args.scenario}, ${args.preset}, seed ${seed}`,
      value,
      unit: 'per agent',
      ...(aim && { aim }),
    }),
  ),
  detail: { config, totalSteps, episodes, seeds: rows },
});
