import { afterEach, describe, expect, test } from 'vitest';
import { createLearner } from '../../../../../src/engine/learn/create-learner.ts';
import { qmixDefaults } from '../../../../../src/engine/learn/presets/value-presets.ts';
import type { Learner, ValueConfig } from '../../../../../src/shared/rl/learner.ts';
import { type CheckpointIndex, rewriteIndex } from '../../../../support/rewrite-checkpoint.ts';
import { TinyEnv } from '../../../../support/tiny-game.ts';
import { mortalGame, twoStepGame } from '../../../../support/tiny-games.ts';

/** Episodes of four steps, three steps an iteration: copies are in mid-episode at every checkpoint. */
const config: ValueConfig = {
  ...qmixDefaults,
  hidden: 8,
  numEnvs: 8,
  numSteps: 3,
  batchEpisodes: 4,
  bufferEpisodes: 20,
  learningStarts: 4,
  updatesPerEpisode: 0.3,
  explorationSteps: 200,
  targetNetworkFrequency: 5,
  mixingEmbed: 4,
  hypernetEmbed: 4,
  standardiseRewards: true,
  tdLambda: 0.5,
};

function cut(blobs: [string, number][], name: string, bytes: number): void {
  for (const blob of blobs) if (blob[0] === name) blob[1] -= bytes;
}

const learners: Learner[] = [];
afterEach(async () => {
  for (const learner of learners.splice(0)) await learner.dispose();
});

async function create(settings: Partial<ValueConfig> = {}, seed = 3, game = mortalGame): Promise<Learner> {
  const merged = { ...config, ...settings };
  const env = new TinyEnv(game, merged.numEnvs);
  const learner = await createLearner({ env, config: merged, seed });
  learners.push(learner);
  return learner;
}

async function run(learner: Learner, count: number): Promise<string[]> {
  const seen: string[] = [];
  for (let i = 0; i < count; i++) {
    const { metrics } = await learner.iterate();
    seen.push(JSON.stringify([learner.parameterHash(), metrics]));
  }
  return seen;
}

describe('serialize and restore', () => {
  test.each([
    ['qmix', {}],
    // 40 episodes by then: the ring of the replay stands in its middle.
    ['qmix with a full replay', { bufferEpisodes: 17 }],
    [
      'vdn',
      {
        algorithm: 'vdn',
        stateNorm: false,
        recurrent: false,
        optimiser: 'rmsprop',
        targetNetworkFrequency: 0,
      },
    ],
  ] as const)('continue %s bit for bit, replay included', async (_, settings) => {
    const first = await create(settings);
    await run(first, 7);
    const bytes = first.serialize();
    const expected = await run(first, 5);
    const second = await create(settings, 99);
    await run(second, 2);
    second.restore(bytes);
    expect(second.serialize()).toEqual(bytes);
    expect(second.trainedSteps).toBe(7 * 24);
    expect(await run(second, 5)).toEqual(expected);
  });

  test.each<[string, (index: CheckpointIndex) => void]>([
    ['whose replay was cut', ({ blobs }) => cut(blobs, 'replay', 8)],
    ['whose copies were cut', ({ blobs }) => cut(blobs, 'copies', 8)],
    ['without its streams', ({ header }) => delete header.streams],
    [
      'with a stream that is none',
      ({ header }) => Object.assign(header, { streams: { act: {}, sample: {} } }),
    ],
    ['without counters', ({ header }) => delete header.counters],
    ['with a counter that is none', ({ header }) => Object.assign(header.counters as object, { due: null })],
    ['without lengths of its copies', ({ header }) => delete header.snapshotLengths],
    ['without the start of its replay', ({ header }) => delete header.replayStart],
    ['whose replay starts nowhere', ({ header }) => Object.assign(header, { world: '', replayStart: 99 })],
    ['without a step of the optimiser', ({ header }) => delete header.step],
    ['without a list of parts', (index) => Object.assign(index, { blobs: 7 })],
  ])('a checkpoint %s is refused and changes nothing', async (_, damage) => {
    const learner = await create();
    await run(learner, 4);
    const before = learner.serialize();
    const damaged = rewriteIndex(before, damage);
    await run(learner, 1);
    const now = learner.serialize();
    expect(() => learner.restore(damaged)).toThrow(
      expect.objectContaining({ code: 'learner.badCheckpoint' }),
    );
    expect(learner.serialize()).toEqual(now);
  });

  test('another configuration is refused by name', async () => {
    const bytes = (await create()).serialize();
    const other = await create({ gamma: 0.5 });
    expect(() => other.restore(bytes)).toThrow(/its config is/);
  });
});

describe('setEnvironment', () => {
  test('keeps the replay under the same dynamics, and forgets its share under others', async () => {
    const counts: number[] = [];
    for (const parameters of [{}, { 'world.gravity': 2 }]) {
      const learner = await create({ evictShare: 0.75 });
      await run(learner, 8);
      learner.setEnvironment(new TinyEnv(mortalGame, 8, { spec: { parameters } }));
      const { metrics } = await learner.iterate();
      counts.push(metrics.find(({ key }) => key === 'charts/replay_episodes')?.value as number);
    }
    // Eight copies end an episode every four steps: 48 in 24 steps, of which 20 are kept; 5 after forgetting.
    expect(counts).toEqual([20, 5]);
  });

  test('with a seed, two branches pair exactly', async () => {
    const bytes = await (async () => {
      const origin = await create();
      await run(origin, 6);
      return origin.serialize();
    })();
    const series: string[][] = [];
    for (const seed of [11, 12]) {
      const branch = await create({}, seed);
      branch.restore(bytes);
      branch.setEnvironment(new TinyEnv(mortalGame, 8), { seed: 42 });
      series.push(await run(branch, 3));
    }
    expect(series[0]).toEqual(series[1]);
  });

  test('refuses other shapes', async () => {
    const learner = await create();
    expect(() => learner.setEnvironment(new TinyEnv(twoStepGame, 8))).toThrow(/other shapes/);
  });
});
