/**
 * Does IPPO learn simple_spread? Trains each seed and scores its greedy policy on fixed episodes of another stream.
 *
 *   npx node bench/learn-spread.ts --seeds 1,2,3,4,5 --steps 3000000
 *
 * Yardsticks, per agent: uniform random -26.5, scripted greedy assignment -8.9, threshold -10.5.
 */
import { parseArgs } from 'node:util';
import { createLearner, ippoDefaults } from '../src/engine/learn/index.ts';
import { evaluatePolicies, openPolicy, type Policy } from '../src/engine/policy/index.ts';
import { createVecEnv } from '../src/engine/sim/index.ts';
import type { Learner, LearnerConfig } from '../src/shared/rl/learner.ts';
import { printReport } from './figure.ts';

const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };
const evaluationSeed = 1_000_003n;
const threshold = -10.5;

const { values: args } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1,2,3,4,5' },
    steps: { type: 'string', default: '3000000' },
    episodes: { type: 'string', default: '1024' },
    every: { type: 'string', default: '500000' },
    config: { type: 'string', default: '{}' },
  },
});
const config: LearnerConfig = { ...ippoDefaults, ...JSON.parse(args.config) };
const totalSteps = Number(args.steps);
const episodes = Number(args.episodes);

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
  return evaluation.groups.agent?.episodeReturn.mean ?? Number.NaN;
}

interface SeedResult {
  readonly seed: number;
  readonly steps: number;
  readonly episodeReturn: number;
  readonly stepsPerSecond: number;
  readonly parameterHash: string;
  readonly curve: readonly (readonly [step: number, episodeReturn: number])[];
}

async function trainSeed(seed: number): Promise<SeedResult> {
  const env = createVecEnv(spec, { numEnvs: config.numEnvs, seed: BigInt(seed), firstEpisode: 0 });
  const learner = await createLearner({ env, config, seed, totalSteps });
  const started = performance.now();
  const curve: [number, number][] = [];
  while (learner.trainedSteps < totalSteps) {
    await learner.iterate();
    const isDue = learner.trainedSteps >= (curve.length + 1) * Number(args.every);
    if (isDue) curve.push([learner.trainedSteps, round(await score(learner))]);
  }
  const seconds = (performance.now() - started) / 1000;
  const result = round(await score(learner));
  const row = {
    seed,
    steps: learner.trainedSteps,
    episodeReturn: result,
    stepsPerSecond: Math.round(learner.trainedSteps / seconds),
    parameterHash: learner.parameterHash(),
    curve,
  };
  await learner.dispose();
  env.dispose();
  process.stderr.write(
    `seed ${seed}: ${result} per agent after ${row.steps} steps, ${row.stepsPerSecond} steps/s; ${curve.map(([step, value]) => `${step / 1e6}M ${value}`).join(', ')}\n`,
  );
  return row;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const rows: SeedResult[] = [];
for (const seed of args.seeds.split(',').map(Number)) rows.push(await trainSeed(seed));
printReport({
  figures: rows.map(({ seed, episodeReturn }) => ({
    name: `greedy episode return, simple_spread, seed ${seed}`,
    value: episodeReturn,
    unit: 'per agent',
    aim: { atLeast: threshold },
  })),
  detail: { config, totalSteps, episodes, seeds: rows },
});
