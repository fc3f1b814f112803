import { describe, expect, test } from 'vitest';
import type { Episode, EpisodeLabel } from '../../../../src/engine/learn/data/episode.ts';
import { EpisodeReplay } from '../../../../src/engine/learn/data/replay.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

const shape = { stateWords: 2, numAgents: 3, numBase: 1 };

function episode(index: number, length = 2): Episode {
  return {
    seed: 2n ** 63n + BigInt(index),
    index,
    length,
    terminated: index % 2 === 0,
    states: Float64Array.from({ length: 2 * (length + 1) }, (_, i) => index + i / 7),
    actions: Uint16Array.from({ length: 3 * length }, (_, i) => (index + i) % 5),
    base: Float32Array.from({ length: 3 * length }, (_, i) => index - i),
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

  test('gives back what was put in, bit by bit', () => {
    const drawn = filled(4, 4).sample(4, new CounterRng(1n, 0));
    expect(drawn.sort((a, b) => a.index - b.index)).toEqual([0, 1, 2, 3].map((index) => episode(index)));
  });

  test("holds another replay's episodes, the last of them", () => {
    const replay = filled(3, 3);
    replay.load(filled(5, 9).ordered());
    expect(indices(replay.ordered())).toEqual([6, 7, 8]);
  });

  test('holds an episode in a fraction of its bytes', () => {
    const replay = new EpisodeReplay(1, shape);
    const length = 200;
    // A word that moves, one that stays; rewards and actions that repeat.
    const states = Float64Array.from({ length: 2 * (length + 1) }, (_, i) => (i % 2 === 0 ? i / 2 : 1 / 3));
    const moving = { ...episode(0, length), states };
    replay.push(moving);
    const raw = states.byteLength + moving.actions.byteLength + moving.base.byteLength;
    expect(replay.byteLength).toBeLessThan(raw / 2);
    expect(replay.sample(1, new CounterRng(1n, 0))).toEqual([moving]);
  });
});
