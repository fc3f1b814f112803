import { describe, expect, test } from 'vitest';
import { stairOf } from '../../../../../src/engine/learn/algos/value/batch-shape.ts';
import { EpisodeBatch } from '../../../../../src/engine/learn/algos/value/episode-batch.ts';
import { valueNetwork } from '../../../../../src/engine/learn/algos/value/value-network.ts';
import type { Episode } from '../../../../../src/engine/learn/data/episode.ts';
import { RunningNorm } from '../../../../../src/engine/learn/data/running-norm.ts';
import { hypernetMixer } from '../../../../../src/engine/learn/nn/mixer.ts';
import { qmixDefaults } from '../../../../../src/engine/learn/presets/value-presets.ts';
import type { ValueConfig } from '../../../../../src/shared/rl/learner.ts';
import { TinyEnv } from '../../../../support/tiny-game.ts';
import { mortalGame } from '../../../../support/tiny-games.ts';

/** Episodes of the mortal game: its state is the step, its base reward the number of actions 1. */
function episode(length: number, terminated: boolean): Episode {
  return {
    seed: 1n,
    index: length,
    length,
    terminated,
    states: Float64Array.from({ length: length + 1 }, (_, t) => t),
    actions: Uint16Array.from({ length: 3 * length }, (_, i) => (i % 3 === 2 && i > 2 ? 0 : 1)),
    base: Float32Array.from({ length: 3 * length }, (_, i) => i + 1),
    paid: Float32Array.from({ length: 3 * length }, (_, i) => 10 * (i + 1)),
  };
}

const episodes = [episode(3, false), episode(2, true)];

/** Columns: two of each of the first three moments, and one of the last. */
function load(settings: Partial<ValueConfig> = {}): Record<string, number[]> {
  const config: ValueConfig = {
    ...qmixDefaults,
    gamma: 0.9,
    batchEpisodes: 2,
    stateNorm: false,
    ...settings,
  };
  const env = new TinyEnv(mortalGame, 2);
  const net = valueNetwork(env, config, ({ numAgents, stateDim }) =>
    hypernetMixer({ numAgents, stateDim, mixingEmbed: 2, hypernetEmbed: 2 }),
  );
  const shape = { stateWords: 1, numAgents: 3, numBase: 1, numPaid: 0 } as const;
  const norms = { state: new RunningNorm(2), reward: new RunningNorm(1) };
  const batch = new EpisodeBatch(net, config, shape, norms);
  const playback = env.createPlayback(2);
  // A longer batch before it: what it left must not show.
  batch.load([episode(4, true), episode(4, true)], stairOf([4, 4], 25), playback);
  const feeds = batch.load(episodes, stairOf([3, 2], 25), playback);
  return Object.fromEntries(
    Object.entries(feeds).map(([name, tensor]) => [name, Array.from(tensor.data as Float32Array)]),
  );
}

/** Rows of a list of numbers. */
function rows(values: readonly number[] | undefined, width: number): number[][] {
  const list = values ?? [];
  return Array.from({ length: list.length / width }, (_, i) => list.slice(i * width, (i + 1) * width));
}

describe('EpisodeBatch', () => {
  test('shows what was seen, done before and who it is, moment by moment', () => {
    // Scout: 2 numbers seen, 2 actions, 1 place, the bias. Rows t·2 + b.
    const scout = rows(load()['scout/obs'], 6);
    expect(scout.slice(0, 4)).toEqual([
      [1, 0, 0, 0, 1, 1],
      [1, 0, 0, 0, 1, 1],
      [1, 1, 0, 1, 1, 1],
      [1, 1, 0, 1, 1, 1],
    ]);
    // After three steps the first episode shows its last moment; the second ended a step before.
    expect(scout.slice(6)).toEqual([[1, 3, 0, 1, 1, 1]]);
    // The second guard is dead after the first step; its last action is still its own.
    const guards = rows(load()['guard/obs'], 9);
    expect(guards[1]).toEqual([0, 1, 0, 0, 0, 0, 0, 1, 1]);
    expect(guards[5]).toEqual([0, 0, 0, 0, 1, 0, 0, 1, 1]);
    expect(guards[9]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 1]);
  });

  test('says how its columns belong to moments, what was done at each, and where the next one stands', () => {
    const feeds = load();
    expect(feeds.widths).toEqual([2, 2, 2, 1, 0, 0, 0, 0, 0]);
    expect(feeds.spans?.slice(0, 8)).toEqual([2, 0, 2, 0, 1, 1, 0, 1]);
    expect(feeds.following).toEqual([2, 3, 4, 5, 6, 5, 6]);
    expect(feeds['scout/actions']).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(load({ recurrent: false })).not.toHaveProperty('spans');
  });

  test('leaves out extras that are not wanted', () => {
    expect(rows(load({ obsLastAction: false, obsAgentId: false })['scout/obs'], 3)[2]).toEqual([1, 1, 1]);
  });

  test('masks what was illegal, in columns', () => {
    const [first, second, third] = rows(load()['guard/logitBias'], 14) as [number[], number[], number[]];
    expect(first).toEqual(Array(14).fill(0));
    // Rows t·4 + b·2 + a: the dead guard may only take action 0, while its episode lasts (moments 1 to 3, and 1 to 2).
    const dead = [5, 7, 9, 11, 13];
    expect(second.flatMap((bias, i) => (bias < 0 ? [i] : []))).toEqual(dead);
    const never = [0, 2, 4, 6, 8, 10, 12];
    expect(third.flatMap((bias, i) => (bias < 0 ? [i] : []))).toEqual(
      [...never, ...dead].sort((a, b) => a - b),
    );
  });

  test('says who could act where that counts', () => {
    expect(load()['guard/active']).toBeUndefined();
    expect(load({ dropInactive: true })['guard/active']?.slice(0, 8)).toEqual([1, 1, 1, 1, 1, 0, 1, 0]);
  });

  test('pays the team the mean or the sum of its agents, scaled, and nothing after the last step', () => {
    expect(load().rewards).toEqual([2, 2, 5, 5, 8, 0, 0]);
    expect(load({ rewardSum: 'sum', rewardScale: 0.5 }).rewards).toEqual([3, 3, 7.5, 7.5, 12, 0, 0]);
  });

  test('pays what was paid when it was played, where it is not to pay anew', () => {
    expect(load({ relabel: false }).rewards).toEqual([20, 20, 50, 50, 80, 0, 0]);
  });

  test('standardises rewards over all that was drawn', () => {
    const { rewards } = load({ standardiseRewards: true });
    // Drawn: twice (2, 5, 8, 11), then (2, 5, 8) and (2, 5).
    const all = [2, 5, 8, 11, 2, 5, 8, 11, 2, 5, 8, 2, 5];
    const mean = all.reduce((sum, r) => sum + r, 0) / all.length;
    const deviation = Math.sqrt(all.reduce((sum, r) => sum + (r - mean) ** 2, 0) / all.length);
    const expected = [2, 2, 5, 5, 8].map((r) => expect.closeTo((r - mean) / deviation, 5));
    expect(rewards).toEqual([...expected, 0, 0]);
  });

  test.each([
    [true, 0.9],
    [false, 0],
  ])(
    'discounts a time-out by γ with bootstrapTruncated %s, and never what terminates',
    (bootstrapTruncated, last) => {
      const g = expect.closeTo(0.9, 6);
      expect(load({ bootstrapTruncated }).discounts).toEqual([g, g, g, 0, last === 0 ? 0 : g, 0, 0]);
    },
  );

  test('carries λ inside an episode only, and weighs moments that a step follows', () => {
    const { carry, weights } = load({ tdLambda: 0.5 });
    expect(carry).toEqual([0.5, 0.5, 0.5, 0, 0, 0, 0]);
    expect(weights).toEqual([0.2, 0.2, 0.2, 0.2, 0.2, 0, 0].map((w) => expect.closeTo(w, 6)));
    expect(load().carry).toBeUndefined();
  });

  test('gives the mixer the states, with the bias', () => {
    expect(rows(load().state, 3).slice(4)).toEqual([
      [1, 2, 1],
      [1, 2, 1],
      [1, 3, 1],
    ]);
  });
});
