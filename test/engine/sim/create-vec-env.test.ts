import { describe, expect, test } from 'vitest';
import { createVecEnv } from '../../../src/engine/sim/create-vec-env.ts';
import { opcodes } from '../../../src/shared/generated/opcodes.ts';
import type { EnvironmentSpec, VecEnv, VecEnvOptions } from '../../../src/shared/rl/vec-env.ts';
import type { VmProgram } from '../../../src/shared/rl/vm-program.ts';

const spread: EnvironmentSpec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };

function open(spec: EnvironmentSpec = spread, options: Partial<VecEnvOptions> = {}): VecEnv {
  return createVecEnv(spec, { numEnvs: 4, seed: 1n, firstEpisode: 0, ...options });
}

/** A reward "broken" that divides by zero in every copy. */
const trapping: VmProgram = {
  code: Int32Array.from(
    [
      [opcodes.DECL.code, 0, 0, 0, 0],
      [opcodes.CONST.code, 0, 0, 0, 0],
      [opcodes.CONST.code, 1, 1, 0, 0],
      [opcodes.DIV.code, 2, 1, 0, 0],
      [opcodes.GIVE.code, 0, 0, 2, 1],
    ].flat(),
  ),
  sections: { control: 0, npc: 0, rules: 0, rewards: 5, potentials: 0, metrics: 0 },
  numRegisters: 3,
  constants: Float64Array.of(0, 1),
  declarations: [{ kind: 'reward', name: 'broken', key: 7, instances: 1 }],
  components: [
    { name: 'broken', halfLifeSteps: 0, episodeLimit: Number.POSITIVE_INFINITY, isPotential: false },
  ],
  metrics: [],
  memory: new Float64Array(0),
  memoryKeys: new Uint32Array(0),
  regimes: [],
  eventKeys: new Uint32Array(0),
  regimeWord: -1,
};

describe('createVecEnv', () => {
  test('gives arrays of the shapes that the manifest says, filled for the first step', () => {
    const env = open();
    expect([env.numAgents, env.obsDim, env.stateDim, env.numActions]).toEqual([3, 18, 54, 5]);
    expect(env.componentNames).toEqual(['coverage', 'collision']);
    expect(env.obs).toHaveLength(4 * 3 * 18);
    expect(env.obs.some((x) => x !== 0)).toBe(true);
    expect(env.availActions.every((x) => x === 1)).toBe(true);
  });

  test('keeps its arrays over steps, resets and restores', () => {
    const env = open();
    const { obs, rewards } = env;
    env.step(new Int32Array(12));
    env.reset(2n, 0);
    env.restore(0, env.snapshot(1));
    expect(env.obs).toBe(obs);
    expect(env.rewards).toBe(rewards);
  });

  test('starts over exactly with reset', () => {
    const env = open();
    const before = env.stateHash();
    const obs = env.obs.slice();
    for (let t = 0; t < 30; t++) env.step(new Int32Array(12).fill(t % 5));
    expect(env.stateHash()).not.toBe(before);
    env.reset(1n, 0);
    expect(env.stateHash()).toBe(before);
    expect(env.obs).toEqual(obs);
  });

  test('pads the observation of the narrower group and keeps the state unpadded', () => {
    const env = open({ ...spread, scenario: 'simple_adversary' }, { numEnvs: 1 });
    expect(env.obs.slice(8, 10)).toEqual(new Float32Array(2));
    const unpadded = [...env.obs.slice(0, 8), ...env.obs.slice(10)];
    expect([...env.state]).toEqual(unpadded);
  });

  test('reports the declaration, episode, step and reason of a trap and goes on', () => {
    const env = open({ ...spread, program: trapping }, { firstEpisode: 7 });
    env.step(new Int32Array(12));
    expect([...env.truncated]).toEqual([1, 1, 1, 1]);
    expect(env.takeTraps()[2]).toEqual({
      declaration: 'broken',
      env: 2,
      episode: 9,
      step: 1,
      reason: 'division',
    });
    expect(env.takeTraps()).toEqual([]);
    expect([...env.takeFireCounts()]).toEqual([0]);
    expect(env.rewards.every(Number.isFinite)).toBe(true);
  });
});

describe('misuse of a VecEnv', () => {
  test.each([
    ['no actions', undefined, 'actions must be a Int32Array'],
    ['a plain array', [0, 0, 0], 'actions must be a Int32Array'],
    ['another element type', new Float32Array(12), 'actions must be a Int32Array'],
    ['a wrong length', new Int32Array(11), 'actions must be of length 12, not 11'],
    [
      'an action out of range',
      new Int32Array(12).fill(5),
      'actions[0] must be an action of its agent, not 5',
    ],
  ])('%s names the argument', (_, actions, message) => {
    const env = open();
    expect(() => env.step(actions as Int32Array)).toThrow(message);
  });

  test('a shared array is refused', () => {
    const shared = new Int32Array(new SharedArrayBuffer(48));
    expect(() => open().step(shared)).toThrow('not shared');
  });

  test.each([
    ['numEnvs 0', { numEnvs: 0 }, 'options.numEnvs'],
    ['numEnvs NaN', { numEnvs: Number.NaN }, 'options.numEnvs'],
    ['a negative seed', { seed: -1n }, 'options.seed'],
    ['a seed beyond 64 bits', { seed: 2n ** 64n }, 'options.seed'],
    ['a fractional episode', { firstEpisode: 0.5 }, 'options.firstEpisode'],
  ])('%s names the option', (_, options, name) => {
    expect(() => open(spread, options)).toThrow(name);
  });

  test('parameters that are no numbers are named', () => {
    const parameters = { 'agent.accel': 'fast' } as unknown as Record<string, number>;
    expect(() => open({ ...spread, parameters })).toThrow('parameters.agent.accel must be a number');
  });

  test('env indices out of range are named', () => {
    expect(() => open().snapshot(4)).toThrow('env must be a whole number in 0..3');
    expect(() => open().restore(-1, new Uint8Array(8))).toThrow('env must be a whole number in 0..3');
  });

  test('a damaged or foreign snapshot is sim.badSnapshot', () => {
    const env = open();
    expect(() => env.restore(0, new Uint8Array(8))).toThrow(
      expect.objectContaining({ code: 'sim.badSnapshot' }),
    );
    const foreign = open({ ...spread, scenario: 'simple_adversary' }).snapshot(0);
    expect(() => env.restore(0, foreign)).toThrow(expect.objectContaining({ code: 'sim.badSnapshot' }));
  });

  test('discrete and continuous batches refuse the other kind of action', () => {
    expect(() => open().stepContinuous(new Float32Array(60))).toThrow('takes discrete actions');
    const continuous = open(spread, { continuousActions: true });
    expect(() => continuous.step(new Int32Array(12))).toThrow('takes continuous actions');
    const actions = new Float32Array(60).fill(0.5);
    continuous.stepContinuous(actions);
    actions[33] = Number.NaN;
    expect(() => continuous.stepContinuous(actions)).toThrow('actions[33]');
  });

  test('a disposed batch says so, and disposing twice is fine', () => {
    const env = open();
    env.dispose();
    env.dispose();
    expect(() => env.step(new Int32Array(12))).toThrow('disposed');
    expect(() => env.stateHash()).toThrow('disposed');
  });

  test('a batch whose array was transferred away refuses to step', () => {
    const env = open();
    structuredClone(env.obs, { transfer: [env.obs.buffer as ArrayBuffer] });
    expect(() => env.step(new Int32Array(12))).toThrow('transferred');
  });
});
