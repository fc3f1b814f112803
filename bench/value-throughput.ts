/**
 * Env-steps trained per second by value learners, end to end on one core: simulator, playing, recording, playing again, gradient
 * steps. Skirmish 3m (three units against three), PyMARL's networks (GRU 64, mixer 32, generators 64) and batch (32 episodes), eight
 * copies or 32, ε = 0.05: episodes as a team fights them that has begun to learn. No trainer, no store.
 *
 *   npx node bench/value-throughput.ts [--scenario skirmish] [--iterations 40]
 */
import { parseArgs } from 'node:util';
import { createLearner, learnerCatalogue } from '../src/engine/learn/index.ts';
import { createVecEnv, scenarioManifest } from '../src/engine/sim/index.ts';
import type { LearnerConfig } from '../src/shared/rl/learner.ts';
import { type Figure, printReport } from './figure.ts';

const { values: args } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'skirmish' },
    iterations: { type: 'string', default: '40' },
  },
});

interface Case {
  readonly name: string;
  readonly preset: string;
  readonly updatesPerEpisode: number;
  readonly numEnvs: number;
  /** Env-steps per second. */
  readonly aim?: number;
}

const cases: readonly Case[] = [
  {
    name: 'QMIX, one update per episode',
    preset: 'qmix-pymarl',
    updatesPerEpisode: 1,
    numEnvs: 8,
    aim: 1200,
  },
  {
    name: 'QMIX, one update per eight episodes',
    preset: 'qmix-pymarl',
    updatesPerEpisode: 1 / 8,
    numEnvs: 8,
    aim: 8000,
  },
  {
    name: 'QMIX, one update per eight episodes, 32 copies',
    preset: 'qmix-pymarl',
    updatesPerEpisode: 1 / 8,
    numEnvs: 32,
    aim: 8000,
  },
  { name: 'VDN, one update per episode', preset: 'vdn-pymarl', updatesPerEpisode: 1, numEnvs: 8 },
];

async function measure({ name, preset, updatesPerEpisode, numEnvs, aim }: Case): Promise<Figure[]> {
  const settings = {
    ...learnerCatalogue.presets[preset]?.config,
    updatesPerEpisode,
    numEnvs,
    startE: 0.05,
    ...(preset.startsWith('qmix') && { stateNorm: true }),
  } as LearnerConfig;
  const { groups } = scenarioManifest(args.scenario, {});
  const scripted = Object.fromEntries(
    groups.flatMap((group) => (group.defaultScripted === null ? [] : [[group.name, group.defaultScripted]])),
  );
  const spec = { scenario: args.scenario, parameters: {}, program: null, scripted };
  const env = createVecEnv(spec, {
    numEnvs: settings.numEnvs,
    seed: 1n,
    firstEpisode: 0,
    gamma: settings.gamma,
  });
  const learner = await createLearner({ env, config: settings, seed: 1 });
  // Sessions are built, and the replay holds more than a batch.
  for (let i = 0; i < 20; i++) await learner.iterate();
  const usage = process.cpuUsage();
  const started = performance.now();
  let steps = 0;
  let length = 0;
  for (let i = 0; i < Number(args.iterations); i++) {
    const stats = await learner.iterate();
    steps += stats.steps;
    length = stats.metrics.find(({ key }) => key === 'charts/episodic_length')?.value ?? length;
  }
  const wall = steps / ((performance.now() - started) / 1e3);
  const { user, system } = process.cpuUsage(usage);
  const cpu = steps / ((user + system) / 1e6);
  await learner.dispose();
  env.dispose();
  process.stderr.write(
    `  ${name}: ${Math.round(wall)} env-steps/s by the clock, ${Math.round(cpu)} per second of CPU time, ` +
      `episodes of ${length.toFixed(1)} steps, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB\n`,
  );
  return [
    {
      name: `trained env-steps, ${name}, ${args.scenario}`,
      value: wall,
      unit: '1/s',
      ...(aim !== undefined && { aim: { atLeast: aim } }),
    },
    { name: `trained env-steps per CPU second, ${name}, ${args.scenario}`, value: cpu, unit: '1/s' },
    { name: `memory, ${name}, ${args.scenario}`, value: process.memoryUsage().rss / 2 ** 20, unit: 'MiB' },
  ];
}

const figures: Figure[] = [];
for (const each of cases) figures.push(...(await measure(each)));
printReport({ figures, detail: { iterations: args.iterations } });
