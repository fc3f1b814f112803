import { afterEach, describe, expect, test } from 'vitest';
import { createLearner, ippoDefaults } from '../../../../src/engine/learn/index.ts';
import type { Learner, OnPolicyConfig } from '../../../../src/shared/rl/learner.ts';
import type { VecEnv } from '../../../../src/shared/rl/vec-env.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { type CueEnvOptions, createCueEnv } from '../../../support/cue-env.ts';
import { type CheckpointIndex, rewriteIndex } from '../../../support/rewrite-checkpoint.ts';

const config: OnPolicyConfig = {
  ...ippoDefaults,
  hidden: 16,
  numEnvs: 32,
  numSteps: 10,
  minibatchSize: 64,
  learningRate: 5e-3,
};

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

async function create(
  cues: Omit<CueEnvOptions, 'numEnvs'> = {},
  settings: Partial<OnPolicyConfig> = {},
  seed = 1,
): Promise<Learner & { env: VecEnv }> {
  const merged = { ...config, ...settings };
  const env = createCueEnv({ numEnvs: merged.numEnvs, ...cues });
  const learner = await createLearner({ env, config: merged, seed });
  learners.push(learner);
  return Object.assign(learner, { env });
}

async function iterate(learner: Learner, count: number): Promise<Map<string, number>> {
  let last = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const { metrics } = await learner.iterate();
    last = new Map(metrics.map(({ key, value }) => [key, value]));
  }
  return last;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown);
  }
  return 'nothing thrown';
}

const twoGroups = { low: { agents: 1, cues: 2 }, high: { agents: 2, cues: 4 } };

describe('createLearner', () => {
  test('learns to answer cues (seed 1): 5 of 5 an episode where chance is 1.67', async () => {
    const metrics = await iterate(await create(), 40);
    expect(metrics.get('charts/episodic_return/agent')).toBeGreaterThan(4.5);
    expect(metrics.get('charts/metric/accuracy')).toBeGreaterThan(0.9);
    expect(metrics.get('losses/entropy')).toBeLessThan(0.5);
  });

  test('does not learn when rewards are shuffled between copies (seed 1)', async () => {
    // The same settings with true rewards reach 0.9; chance is 0.33.
    const settings = { numEnvs: 128, minibatchSize: 256 };
    const accuracies: number[] = [];
    for (const shuffleRewards of [false, true]) {
      const metrics = await iterate(await create({ shuffleRewards }, settings), 25);
      accuracies.push(metrics.get('charts/metric/accuracy') as number);
    }
    expect(accuracies[0]).toBeGreaterThan(0.9);
    expect(accuracies[1]).toBeGreaterThan(0.15);
    expect(accuracies[1]).toBeLessThan(0.6);
  });

  test('learns one policy per group, each over its own widths (seed 1)', async () => {
    const learner = await create({ groups: twoGroups }, { minibatchSize: 128 });
    const metrics = await iterate(learner, 50);
    expect(metrics.get('charts/episodic_return/low')).toBeGreaterThan(4.5);
    expect(metrics.get('charts/episodic_return/high')).toBeGreaterThan(4.2);
    expect(metrics.get('losses/policy_loss/low')).toBeDefined();
    expect(learner.policies().map(({ group }) => group)).toEqual(['low', 'high']);
  });

  test('never takes an illegal action and learns among the legal ones (seed 1)', async () => {
    // The environment throws when a masked action is taken.
    const metrics = await iterate(await create({ masks: true }), 30);
    expect(metrics.get('charts/episodic_return/agent')).toBeGreaterThan(4.5);
  });

  test('leaves scripted groups alone', async () => {
    const learner = await create({ groups: twoGroups, scripted: { high: 'silent' } });
    const metrics = await iterate(learner, 1);
    expect(learner.policies().map(({ group }) => group)).toEqual(['low']);
    expect(metrics.has('charts/episodic_return/high')).toBe(false);
    expect(metrics.has('losses/policy_loss/low')).toBe(false);
  });

  test('bootstraps time-outs: values of a constant reward approach r / (1 - γ), not the rest of the episode', async () => {
    // One cue: reward 1 at every step, whatever is done. γ = 0.5: 2 with bootstrapping; without, 1 to 1.94.
    const cues = { groups: { agent: { agents: 1, cues: 1 } }, length: 2 };
    const settings = { gamma: 0.5, gaeLambda: 1, valueNorm: false, vfCoef: 1 };
    const errors: number[] = [];
    for (const bootstrapTruncated of [true, false]) {
      const metrics = await iterate(await create(cues, { ...settings, bootstrapTruncated }), 60);
      errors.push(metrics.get('losses/value_loss') as number);
    }
    // The observation does not tell the step, so without bootstrapping returns of 1 and 1.5 cannot both be met.
    expect(errors[0]).toBeLessThan(1e-3);
    expect(errors[1]).toBeCloseTo(0.5 * 0.25 ** 2, 2);
  });

  test('gives the same numbers twice, and others under another seed', async () => {
    const hashes: string[] = [];
    for (const seed of [7, 7, 8]) {
      const learner = await create({}, {}, seed);
      await iterate(learner, 3);
      hashes.push(learner.parameterHash());
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).not.toBe(hashes[2]);
  });

  test('lowers the learning rate to zero over totalSteps with annealLr', async () => {
    const env = createCueEnv({ numEnvs: 32 });
    const learner = await createLearner({
      env,
      config: { ...config, annealLr: true },
      seed: 1,
      totalSteps: 960,
    });
    learners.push(learner);
    const rates: number[] = [];
    for (let i = 0; i < 4; i++) rates.push((await iterate(learner, 1)).get('charts/learning_rate') as number);
    expect(rates.map((rate) => rate / config.learningRate)).toEqual(
      [1, 2 / 3, 1 / 3, 0].map((x) => expect.closeTo(x, 10)),
    );
  });

  test.each([
    ['learner.numEnvs', { numEnvs: 0 }],
    ['learner.minibatchSize', { minibatchSize: 1.5 }],
    ['learner.gamma', { gamma: 1.01 }],
    ['learner.learningRate', { learningRate: Number.NaN }],
    ['totalSteps', { annealLr: true }],
  ])('refuses a bad %s by name', async (name, settings) => {
    const env = createCueEnv({ numEnvs: 32 });
    await expect(createLearner({ env, config: { ...config, ...settings }, seed: 1 })).rejects.toThrow(name);
  });
});

describe('Learner.serialize and restore', () => {
  test('continue bit for bit in another learner, in the middle of episodes', async () => {
    const settings = { numSteps: 7 };
    const whole = await create({ groups: twoGroups }, settings);
    await iterate(whole, 3);
    const bytes = whole.serialize();
    const expected = await iterate(whole, 3);
    const resumed = await create({ groups: twoGroups }, settings, 99);
    resumed.restore(bytes);
    expect(resumed.trainedSteps).toBe(3 * 7 * 32);
    expect(await iterate(resumed, 3)).toEqual(expected);
    expect(resumed.parameterHash()).toBe(whole.parameterHash());
    expect(resumed.serialize()).toEqual(whole.serialize());
  });

  test('refuse damaged bytes and other configurations, and change nothing then', async () => {
    const learner = await create();
    const hash = learner.parameterHash();
    const other = await create({}, { hidden: 8 });
    for (const bytes of [new Uint8Array(3), learner.serialize().subarray(0, 900), other.serialize()]) {
      expect(await codeOf((async () => learner.restore(bytes))())).toBe('learner.badCheckpoint');
    }
    expect(learner.parameterHash()).toBe(hash);
  });

  test.each<[string, (index: CheckpointIndex) => void]>([
    ['without streams', ({ header }) => delete header.streams],
    ['with streams of none', ({ header }) => Object.assign(header, { streams: [{ act: 1, permute: 2 }] })],
    ['without a step of the optimiser', ({ header }) => delete header.adamSteps],
    ['without training steps', ({ header }) => delete header.trainedSteps],
    ['with an episode that is none', ({ header }) => Object.assign(header, { nextEpisode: -1 })],
    ['of one copy less', ({ header }) => (header.snapshotLengths as number[]).pop()],
    ['whose copies are cut', ({ blobs }) => Object.assign(blobs.at(-1) as unknown[], { 1: 8 })],
  ])('refuse a checkpoint %s, and change nothing then', async (_, damage) => {
    const learner = await create();
    const damaged = rewriteIndex(learner.serialize(), damage);
    await iterate(learner, 1);
    const before = learner.serialize();
    expect(await codeOf((async () => learner.restore(damaged))())).toBe('learner.badCheckpoint');
    expect(learner.serialize()).toEqual(before);
  });

  test('leave all copies where they were when one of them cannot be restored', async () => {
    const learner = await create();
    const bytes = learner.serialize();
    await iterate(learner, 1);
    const before = learner.serialize();
    const { restore } = learner.env;
    const refused = new AppError('sim.badSnapshot', 'its state is none');
    let calls = 0;
    Object.assign(learner.env, {
      restore(copy: number, snapshot: Uint8Array) {
        if (++calls === 3) throw refused;
        restore.call(learner.env, copy, snapshot);
      },
    });
    expect(() => learner.restore(bytes)).toThrow(refused);
    expect(learner.serialize()).toEqual(before);
  });
});

function episodeOf(env: VecEnv, copy: number): number {
  return JSON.parse(new TextDecoder().decode(env.snapshot(copy))).episode;
}

describe('Learner.setEnvironment', () => {
  test('keeps what was learned and refuses other shapes', async () => {
    const learner = await create();
    await iterate(learner, 40);
    learner.setEnvironment(createCueEnv({ numEnvs: 32 }));
    expect((await iterate(learner, 1)).get('charts/metric/accuracy')).toBeGreaterThan(0.9);
    const wider = createCueEnv({ numEnvs: 32, groups: { agent: { agents: 1, cues: 4 } } });
    expect(() => learner.setEnvironment(wider)).toThrow(/other shapes/);
    expect(() => learner.setEnvironment(createCueEnv({ numEnvs: 31 }))).toThrow(/31 copies/);
  });

  test('pairs branches that start from one state with one seed, and parts other seeds', async () => {
    const learner = await create();
    await iterate(learner, 2);
    const fork = learner.serialize();
    const hashes: string[] = [];
    for (const seed of [5, 5, 6]) {
      learner.setEnvironment(createCueEnv({ numEnvs: 32 }), { seed });
      await iterate(learner, 2);
      hashes.push(learner.parameterHash());
      learner.restore(fork);
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[0]).not.toBe(hashes[2]);
  });

  test('begins after a change with the first episode that no copy has begun, however often it changes', async () => {
    // Episodes of one step: every copy begins one more with every step.
    const learner = await create({ length: 1 });
    const copies = Array.from({ length: 32 }, (_, e) => e);
    let env = learner.env;
    for (let change = 1; change <= 3; change++) {
      await iterate(learner, 1);
      const last = Math.max(...copies.map((e) => episodeOf(env, e)));
      const resumed = await create({ length: 1 });
      resumed.restore(learner.serialize());
      for (const each of [resumed, learner]) {
        env = createCueEnv({ numEnvs: 32, length: 1 });
        each.setEnvironment(env);
        expect(copies.map((e) => episodeOf(env, e))).toEqual(copies.map((e) => last + 1 + e));
      }
    }
  });
});

describe('Learner.iterate', () => {
  test('stops with learner.nonfinite, the metric and the last finite values', async () => {
    const learner = await create({}, { learningRate: 1, maxGradNorm: 1e6, valueNorm: false, normAdv: false });
    await iterate(learner, 1);
    learner.setEnvironment(createCueEnv({ numEnvs: 32, reward: 1e30 }));
    const thrown = await learner.iterate().then(
      () => null,
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(AppError);
    const { code, data, message } = thrown as AppError;
    expect(code).toBe('learner.nonfinite');
    expect(message).toMatch(/group "agent".*iteration 1.*start anew with a lower learning rate/);
    expect(data).toMatchObject({ iteration: 1, group: 'agent', last: { policy_loss: expect.any(Number) } });
  });

  test('stops between steps when aborted', async () => {
    const learner = await create();
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    expect(await codeOf(learner.iterate(controller.signal))).toBe('run.cancelled');
  });

  test('reports every documented metric once', async () => {
    const { steps, metrics } = await (await create()).iterate();
    expect(steps).toBe(320);
    expect(metrics.map(({ key }) => key)).toEqual([
      'charts/episodic_length',
      'charts/episodic_return/agent',
      'charts/component/hit/agent',
      'charts/metric/accuracy',
      'charts/learning_rate',
      'losses/policy_loss',
      'losses/value_loss',
      'losses/entropy',
      'losses/approx_kl',
      'losses/clipfrac',
      'losses/grad_norm',
      'losses/explained_variance',
    ]);
  });

  test('has no episode figures when none ended', async () => {
    const { metrics } = await (await create({ length: 11 })).iterate();
    expect(metrics.some(({ key }) => key.startsWith('charts/episodic'))).toBe(false);
  });
});
