// Simulator throughput with observations on one core: the best of several short measurements.
import { measureSpeed, plainSpec, scenarioManifest } from '../src/engine/sim/index.ts';
import { type Figure, printReport } from './figure.ts';

const repetitions = 5;
const seconds = 0.6;
interface Case {
  readonly scenario: string;
  readonly numEnvs: number;
  /** Of skirmish: the map, by name. */
  readonly map?: string;
  readonly aim?: { readonly atLeast: number };
}
const cases: readonly Case[] = [
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
  { scenario: 'Foraging-8x8-2p-2f-coop-v3', numEnvs: 1024 },
  { scenario: 'Foraging-2s-10x10-4p-4f-v3', numEnvs: 1024 },
  { scenario: 'skirmish', map: '3m', numEnvs: 1024, aim: { atLeast: 0.7e6 } },
  { scenario: 'skirmish', map: '2s3z', numEnvs: 1024 },
  { scenario: 'skirmish', map: '27m_vs_30m', numEnvs: 256, aim: { atLeast: 15e3 } },
];

function parametersOf(scenario: string, map: string | undefined): Record<string, number> {
  const choices = scenarioManifest(scenario).parameters.find(({ name }) => name === 'map')?.choices ?? [];
  return map === undefined ? {} : { map: choices.indexOf(map) };
}

const figures: Figure[] = [];
const all: Record<string, number[]> = {};
for (const { scenario, map, numEnvs, aim } of cases) {
  const plain = plainSpec(scenario);
  const spec = { ...plain, parameters: { ...plain.parameters, ...parametersOf(plain.scenario, map) } };
  const speeds: number[] = [];
  for (let i = 0; i < repetitions; i++) {
    speeds.push((await measureSpeed({ spec, numEnvs, seconds })).stepsPerSecond);
  }
  const name = `${scenario}${map === undefined ? '' : ` ${map}`}, E = ${numEnvs}`;
  all[name] = speeds;
  figures.push({
    name,
    value: Math.max(...speeds),
    unit: 'env-steps/s',
    ...(aim === undefined ? {} : { aim }),
  });
}
printReport({ figures, detail: { repetitions: all } });
