/**
 * What a learner makes of a scenario: trains each seed and scores its greedy policies on fixed episodes of another stream.
 *
 *   npx node bench/learn-curve.ts --preset mappo-mpe --seeds 1,2,3,4,5 --steps 3000000
 *   npx node bench/learn-curve.ts --scenario simple_tag --opponents '{"good":"flee"}' --group adversary --steps 10000000
 *
 * For trying things; what the documentation shows is measured by `bench/learning/measure.ts`, seed by seed.
 */
import { parseArgs } from 'node:util';
import { type Figure, printReport } from './figure.ts';
import { configOf, type LearningCase, type SeedResult, trainSeed } from './learning/train-seed.ts';

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

const learningCase: LearningCase = {
  preset: args.preset,
  config: JSON.parse(args.config),
  scenario: args.scenario,
  parameters: JSON.parse(args.parameters),
  opponents: JSON.parse(args.opponents),
  ...(args.group !== undefined && { group: args.group }),
  metric: args.metric,
  steps: Number(args.steps),
  every: Number(args.every),
  episodes: Number(args.episodes),
};

const rows: SeedResult[] = [];
for (const seed of args.seeds.split(',').map(Number)) {
  const row = await trainSeed(learningCase, seed, (step, score) =>
    process.stderr.write(`seed ${seed}: ${score} at ${(step / 1e6).toFixed(2)} M\n`),
  );
  process.stderr.write(
    `seed ${seed}: ${row.score} after ${row.steps} steps, ${row.stepsPerSecond} steps/s, ` +
      `${row.stepsPerCpuSecond} per CPU second, ${row.residentMemory} MiB\n`,
  );
  rows.push(row);
}
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
  detail: { ...learningCase, config: configOf(learningCase), seeds: rows },
});
