import { describe, expect, test } from 'vitest';
import { type Episode, type EpisodeLabel, packEpisode } from '../../../../src/engine/learn/data/episode.ts';
import { EpisodeReplay } from '../../../../src/engine/learn/data/replay.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

const shape = { stateWords: 2, numAgents: 3, numBase: 1, numPaid: 0 } as const;

function episode(index: number, length = 2): Episode {
  return {
    seed: 2n ** 63n + BigInt(index),
    index,
    length,
    terminated: index % 2 === 0,
    states: Float64Array.from({ length: 2 * (length + 1) }, (_, i) => index + i / 7),
    actions: Uint16Array.from({ length: 3 * length }, (_, i) => (index + i) % 5),
    base: Float32Array.from({ length: 3 * length }, (_, i) => index - i),
    paid: new Float32Array(0),
  };
}

function filled(capacity: number, count: number): EpisodeReplay {
  const replay = new EpisodeReplay(capacity, shape);
  for (let i = 0; i < count; i++) replay.push(episode(i));
  return replay;
}

const indices = (episodes: readonly EpisodeLabel[]): number[] => episodes.map(({ index }) => index);

describe('EpisodeReplay', () => {
  test('keeps the last episodes, the oldest first', () => {
    expect(indices(filled(3, 2).ordered())).toEqual([0, 1]);
    expect(indices(filled(3, 8).ordered())).toEqual([5, 6, 7]);
  });

  test('draws different episodes, every one equally often (seed 1)', () => {
    const replay = filled(6, 6);
    const rng = new CounterRng(1n, 0);
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 6000; i++) {
      const drawn = indices(replay.sample(3, rng));
      expect(new Set(drawn).size).toBe(3);
      for (const index of drawn) counts[index] = (counts[index] as number) + 1;
    }
    // Each is among three of six half of the time: 3000, standard deviation 39.
    for (const count of counts) expect(Math.abs(count - 3000)).toBeLessThan(160);
  });

  test('draws all of them when asked for all', () => {
    expect(indices(filled(4, 4).sample(4, new CounterRng(1n, 0))).sort()).toEqual([0, 1, 2, 3]);
  });

  test('forgets the oldest share, rounded up', () => {
    const replay = filled(5, 9);
    replay.evict(0.5);
    expect(indices(replay.ordered())).toEqual([7, 8]);
    replay.push(episode(9));
    expect(indices(replay.ordered())).toEqual([7, 8, 9]);
    replay.evict(1);
    expect(replay.count).toBe(0);
  });

  test('keeps what it is told to keep, in order, packed or not', () => {
    const size = 48 + 12 + 24;
    for (const budget of [100 * size, 2.5 * size]) {
      const replay = new EpisodeReplay(5, shape, budget);
      for (let i = 0; i < 7; i++) replay.push(episode(i));
      replay.retain(({ index, states }) => index % 2 === 0 && states.length === 6);
      expect(indices(replay.ordered())).toEqual([2, 4, 6]);
      replay.push(episode(7));
      expect(indices(replay.ordered())).toEqual([2, 4, 6, 7]);
    }
  });

  test('gives back what was put in, bit by bit', () => {
    const drawn = filled(4, 4).sample(4, new CounterRng(1n, 0));
    expect(drawn.sort((a, b) => a.index - b.index)).toEqual([0, 1, 2, 3].map((index) => episode(index)));
  });

  test("holds another replay's episodes, the last of them", () => {
    const replay = filled(3, 3);
    replay.load(filled(5, 9).ordered());
    expect(indices(replay.ordered())).toEqual([6, 7, 8]);
  });

  test('draws what the replay drew whose episodes and start it holds', () => {
    for (const count of [3, 5, 7, 12]) {
      const origin = filled(5, count);
      const copy = new EpisodeReplay(5, shape, 200);
      copy.load(origin.ordered(), origin.start);
      for (const replay of [origin, copy]) for (let i = 0; i < 3; i++) replay.push(episode(count + i));
      const [drawn, again] = [origin, copy].map((replay) => replay.sample(3, new CounterRng(4n, 0)));
      expect(again).toEqual(drawn);
      expect(copy.start).toBe(origin.start);
    }
  });

  describe('with room for two open episodes', () => {
    // Per episode of two steps: 6 states of 8, 6 actions of 2, 6 rewards of 4 bytes.
    const size = 48 + 12 + 24;
    const open = (capacity: number, count: number): EpisodeReplay => {
      const replay = new EpisodeReplay(capacity, shape, 2.5 * size);
      for (let i = 0; i < count; i++) replay.push(episode(i));
      return replay;
    };
    const packed = (index: number): number => packEpisode(episode(index)).frame.byteLength;

    test('packs the older ones', () => {
      expect(open(4, 2).byteLength).toBe(2 * size);
      expect(open(4, 4).byteLength).toBe(packed(0) + packed(1) + 2 * size);
      expect(open(4, 7).byteLength).toBe(packed(3) + packed(4) + 2 * size);
      expect(open(1, 7).byteLength).toBe(size);
    });

    test('does the same with what it loads', () => {
      const replay = new EpisodeReplay(4, shape, 2.5 * size);
      replay.load(filled(9, 9).ordered());
      expect(indices(replay.ordered())).toEqual([5, 6, 7, 8]);
      expect(replay.byteLength).toBe(packed(5) + packed(6) + 2 * size);
      replay.push(episode(9));
      expect(replay.byteLength).toBe(packed(6) + packed(7) + 2 * size);
    });

    test('draws what it would draw without packing', () => {
      const [some, all] = [open(5, 12), filled(5, 12)];
      for (const replay of [some, all]) replay.evict(0.2);
      expect(some.sample(3, new CounterRng(4n, 0))).toEqual(all.sample(3, new CounterRng(4n, 0)));
      expect(some.ordered()).toEqual(all.ordered());
    });

    test('packs an episode that has no room by itself', () => {
      const replay = open(2, 1);
      replay.push(episode(1, 50));
      expect(replay.byteLength).toBe(packed(0) + packEpisode(episode(1, 50)).frame.byteLength);
    });
  });
});
