/**
 * Env-steps trained per second, end to end on one core: simulator, inference, sampling, GAE and PPO updates of IPPO on
 * simple_spread (three agents counted as one env-step; 2x64 networks, 4 epochs, minibatch 4096). No trainer, no store.
 */
import { createLearner, ippoDefaults } from '../src/engine/learn/index.ts';
import { createVecEnv } from '../src/engine/sim/index.ts';
import { median, printReport } from './figure.ts';

const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };
const repetitions = 12;
const config = {
  ...ippoDefaults,
  numEnvs: 1024,
  numSteps: 25,
  updateEpochs: 4,
  minibatchSize: 4096,
  hidden: 64,
};

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
  `  ${repetitions} iterations of ${learner.numSteps} env-steps: ${Math.round(median(wall))} /s by the clock, ${Math.round(median(cpu))} per second of CPU time\n`,
);
printReport({
  figures: [
    {
      name: 'trained env-steps, IPPO simple_spread',
      value: median(wall),
      unit: '1/s',
      aim: { atLeast: 70_000 },
    },
    { name: 'trained env-steps per CPU second', value: median(cpu), unit: '1/s' },
  ],
  detail: { config, wall, cpu },
});
