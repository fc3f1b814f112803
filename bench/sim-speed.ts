// Simulator throughput with observations on one core: the best of several short measurements.
import { measureSpeed } from '../src/engine/sim/index.ts';
import { type Figure, printReport } from './figure.ts';

const repetitions = 5;
const seconds = 0.6;
const cases = [
  { scenario: 'simple_spread', numEnvs: 1024, aim: { atLeast: 5e6 } },
  { scenario: 'simple_spread', numEnvs: 64 },
  { scenario: 'simple', numEnvs: 1024 },
  { scenario: 'simple_adversary', numEnvs: 1024 },
  { scenario: 'simple_crypto', numEnvs: 1024 },
  { scenario: 'simple_push', numEnvs: 1024 },
  { scenario: 'simple_reference', numEnvs: 1024 },
  { scenario: 'simple_speaker_listener', numEnvs: 1024 },
  { scenario: 'simple_tag', numEnvs: 1024, aim: { atLeast: 3e6 } },
  { scenario: 'simple_world_comm', numEnvs: 1024 },
  { scenario: 'capture', numEnvs: 1024, aim: { atLeast: 1e6 } },
];

const figures: Figure[] = [];
const all: Record<string, number[]> = {};
for (const { scenario, numEnvs, aim } of cases) {
  const spec = { scenario, parameters: {}, program: null, scripted: {} };
  const speeds: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    speeds.push((await measureSpeed({ spec, numEnvs, seconds })).stepsPerSecond);
  }
  const name = `${scenario}, E = ${numEnvs}`;
  all[name] = speeds;
  figures.push({
    name,
    value: Math.max(...speeds),
    unit: 'env-steps/s',
    ...(aim === undefined ? {} : { aim }),
  });
}
printReport({ figures, detail: { repetitions: all } });
