import { describe, expect, test } from 'vitest';
import { createVecEnv } from '../../../src/engine/sim/create-vec-env.ts';
import { opcodes } from '../../../src/shared/generated/opcodes.ts';
import { environmentMetrics } from '../../../src/shared/rl/environment-metrics.ts';
import type { EnvironmentSpec, VecEnvOptions } from '../../../src/shared/rl/vec-env.ts';
import { declarationKey, type VmProgram, type VmSection } from '../../../src/shared/rl/vm-program.ts';

type Words = readonly [name: keyof typeof opcodes, ...operands: number[]];

const empty = { control: 0, npc: 0, rules: 0, rewards: 0, potentials: 0, metrics: 0 };

function programOf(code: Partial<Record<VmSection, readonly Words[]>>, rest: Partial<VmProgram>): VmProgram {
  const sections = { ...empty };
  const words: number[] = [];
  for (const [section, instructions] of Object.entries(code) as [VmSection, readonly Words[]][]) {
    sections[section] = instructions.length;
    for (const [name, ...operands] of instructions) {
      words.push(opcodes[name].code, ...[0, 1, 2, 3].map((i) => operands[i] ?? 0));
    }
  }
  return {
    code: Int32Array.from(words),
    sections,
    numRegisters: 4,
    constants: Float64Array.of(0, 1, 2),
    declarations: [{ kind: 'metric', name: 'm', key: declarationKey('metric', 'm'), instances: 1 }],
    components: [],
    metrics: [],
    memory: new Float64Array(0),
    memoryKeys: new Uint32Array(0),
    regimes: [],
    eventKeys: new Uint32Array(0),
    regimeWord: -1,
    ...rest,
  };
}

function open(program: VmProgram, options: Partial<VecEnvOptions> = {}, spec: Partial<EnvironmentSpec> = {}) {
  return createVecEnv(
    { scenario: 'simple_spread', parameters: { 'episode.length': 3 }, program, scripted: {}, ...spec },
    { numEnvs: 2, seed: 1n, firstEpisode: 0, ...options },
  );
}

const stand = new Int32Array(6);
const metric = (name: string, isPerAgent: boolean) =>
  ({ name, unit: 'steps', isPerAgent, fold: 'mean', better: 'lower', doc: `of ${name}` }) as const;

/** Two metrics: the time, for the team; nothing, for each agent. */
const measuring = programOf(
  {
    metrics: [
      ['DECL', 0],
      ['SIGNAL', 0, 0],
      ['CONST', 1, 1],
      ['CONST', 2, 0],
      ['MEASURE', 0, 0, 0, 1],
      ['MEASURE', 1, 2, 0, 2],
    ],
  },
  { metrics: [metric('clock', false), metric('nothing', true)] },
);

/** The regime is 1 from the second step on. */
const changing = programOf(
  {
    control: [
      ['DECL', 0],
      ['SIGNAL', 0, 0],
      ['CONST', 1, 1],
      ['LE', 2, 1, 0],
      ['STORE', 0, 0, 2, 1],
    ],
  },
  { memory: Float64Array.of(0), regimes: ['calm', 'storm'], regimeWord: 0 },
);

/** A potential of 2 for the first agent. */
const valuing = programOf(
  {
    potentials: [
      ['DECL', 0],
      ['CONST', 0, 2],
      ['CONST', 1, 1],
      ['PHI', 0, 0, 0, 1],
    ],
  },
  { components: [{ name: 'pull', halfLifeSteps: 0, episodeLimit: Infinity, isPotential: true }] },
);

describe('createVecEnv with a program of all sections', () => {
  test('puts the metrics of the program behind those of the manifest, and NaN where there is no value', () => {
    const env = open(measuring);
    expect(env.metrics).toEqual(environmentMetrics(env.manifest, measuring));
    expect(env.metrics.slice(-2).map(({ name, perAgent }) => [name, perAgent])).toEqual([
      ['clock', false],
      ['nothing', true],
    ]);
    for (let step = 0; step < 3; step++) env.step(stand);
    const width = env.metrics.length;
    for (let row = 0; row < 6; row++) {
      expect(env.episodeMetrics[row * width + width - 2]).toBe(2);
      expect(env.episodeMetrics[row * width + width - 1]).toBeNaN();
    }
    env.dispose();
  });

  test('probes the metrics of the present state', () => {
    const env = open(measuring);
    env.step(stand);
    const probed = env.probe();
    expect(probed).toHaveLength(2 * 3 * 2);
    expect([...probed.subarray(0, 2)]).toEqual([1, Number.NaN]);
    env.dispose();
  });

  test('tells the regime of the step just taken', () => {
    const env = open(changing);
    const seen = [[...env.regimes]];
    for (let step = 0; step < 4; step++) {
      env.step(stand);
      seen.push([...env.regimes]);
    }
    expect(seen.map(([first]) => first)).toEqual([0, 0, 1, 1, 0]);
    const plain = createVecEnv(
      { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} },
      { numEnvs: 1, seed: 1n, firstEpisode: 0 },
    );
    expect([...plain.regimes]).toEqual([-1]);
  });

  test('gives potentials with the discount asked for, 0.99 by default', () => {
    for (const [gamma, expected] of [
      [undefined, 0.99 * 2 - 2],
      [0.5, -1],
      [1, 0],
      [0, -2],
    ] as const) {
      const env = open(valuing, gamma === undefined ? {} : { gamma });
      env.step(stand);
      expect(env.components[2]).toBeCloseTo(expected, 6);
      expect(env.rewards[0]).toBeCloseTo((env.components[0] ?? 0) + (env.components[1] ?? 0) + expected, 5);
      env.dispose();
    }
    for (const gamma of [-0.1, 1.1, Number.NaN]) expect(() => open(valuing, { gamma })).toThrow(RangeError);
  });

  test('refuses npc play where an agent of the group has no behaviour', () => {
    expect(() => open(measuring, {}, { scripted: { agent: 'npc' } })).toThrow(
      expect.objectContaining({
        code: 'input.invalid',
        message: expect.stringContaining('agent_0 has none'),
      }),
    );
  });

  test('triggers events by verb and name, within their bounds', () => {
    const env = open(measuring);
    const [event] = env.manifest.events;
    if (event === undefined) throw new Error('simple_spread has no events');
    const before = env.obs.slice();
    env.trigger(1, `${event.verb} ${event.name}`, { entity: 0 });
    expect(env.obs.slice(0, before.length / 2)).toEqual(before.slice(0, before.length / 2));
    expect(env.obs).not.toEqual(before);
    expect(() => env.trigger(0, 'disturb weather')).toThrow(/has no event/);
    expect(() => env.trigger(0, `${event.verb} ${event.name}`, { entity: 99 })).toThrow(RangeError);
    expect(() => env.trigger(0, `${event.verb} ${event.name}`, { entity: 0, amount: 1e9 })).toThrow(
      RangeError,
    );
    env.dispose();
  });
});

describe('declarationKey', () => {
  test('tells kinds and names apart', () => {
    const keys = [declarationKey('rule', 'a'), declarationKey('event', 'a'), declarationKey('rule', 'b')];
    expect(new Set(keys).size).toBe(keys.length);
    for (const key of keys) expect(Number.isInteger(key) && key >= 0 && key < 2 ** 32).toBe(true);
  });

  test('a key is FNV-1a over kind and name', () => {
    expect(declarationKey('rule', 'a')).toBe(0x6cd30738);
  });
});
