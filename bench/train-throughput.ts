/**
 * Env-steps trained per second, end to end on one core: simulator, inference, sampling, advantages and updates on
 * simple_spread (three agents counted as one env-step; 2x64 networks, 4 epochs, minibatch 4096). No trainer, no store.
 */
import { createLearner, ippoDefaults, mappoDefaults } from '../src/engine/learn/index.ts';
import { createVecEnv } from '../src/engine/sim/index.ts';
import type { LearnerConfig } from '../src/shared/rl/learner.ts';
import { type Figure, median, printReport } from './figure.ts';

interface Case {
  readonly name: string;
  readonly config: LearnerConfig;
  /** Env-steps per second. */
  readonly aim?: number;
}

const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };
const sizes = { numEnvs: 1024, numSteps: 25, updateEpochs: 4, minibatchSize: 4096, hidden: 64 };
const cases: readonly Case[] = [
  { name: 'IPPO', config: { ...ippoDefaults, ...sizes }, aim: 70_000 },
  { name: 'MAPPO', config: { ...mappoDefaults, ...sizes }, aim: 60_000 },
  {
    name: 'MAPPO with memory, chunks of 5',
    config: { ...mappoDefaults, ...sizes, recurrent: true, chunkLength: 5 },
  },
];

async function measure({ name, config, aim }: Case): Promise<{ figures: Figure[]; detail: unknown }> {
  const repetitions = name.includes('memory') ? 4 : 12;
  const env = createVecEnv(spec, { numEnvs: config.numEnvs, seed: 1n, firstEpisode: 0 });
  const learner = await createLearner({ env, config, seed: 1 });
  await learner.iterate();
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    const usage = process.cpuUsage();
    const started = performance.now();
    const { steps } = await learner.iterate();
    wall.push(steps / ((performance.now() - started) / 1e3));
    const { user, system } = process.cpuUsage(usage);
    cpu.push(steps / ((user + system) / 1e6));
  }
  await learner.dispose();
  env.dispose();
  process.stderr.write(
    `  ${name}: ${repetitions} iterations of ${learner.numSteps} env-steps: ${Math.round(median(wall))} /s by the clock, ` +
      `${Math.round(median(cpu))} per second of CPU time\n`,
  );
  return {
    figures: [
      {
        name: `trained env-steps, ${name} simple_spread`,
        value: median(wall),
        unit: '1/s',
        ...(aim !== undefined && { aim: { atLeast: aim } }),
      },
      { name: `trained env-steps per CPU second, ${name}`, value: median(cpu), unit: '1/s' },
    ],
    detail: { name, config, wall, cpu },
  };
}

const results = [];
for (const each of cases) results.push(await measure(each));
printReport({
  figures: results.flatMap(({ figures }) => figures),
  detail: results.map(({ detail }) => detail),
});
