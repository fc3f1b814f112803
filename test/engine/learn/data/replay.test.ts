import { describe, expect, test } from 'vitest';
import {
  decodeEpisodes,
  type Episode,
  EpisodeReplay,
  encodeEpisodes,
} from '../../../../src/engine/learn/data/replay.ts';
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
  const replay = new EpisodeReplay(capacity);
  for (let i = 0; i < count; i++) replay.push(episode(i));
  return replay;
}

const indices = (episodes: readonly Episode[]): number[] => episodes.map(({ index }) => index);

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

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

  test('knows its size', () => {
    // Per episode: 6 states of 8, 6 actions of 2, 6 rewards of 4 bytes.
    expect(filled(3, 3).byteLength).toBe(3 * (48 + 12 + 24));
  });
});

describe('encodeEpisodes and decodeEpisodes', () => {
  test('give back what went in, of any lengths', () => {
    const episodes = [episode(3, 1), episode(4, 5), episode(5, 0)];
    expect(decodeEpisodes(joined(encodeEpisodes(episodes)), shape)).toEqual(episodes);
    expect(decodeEpisodes(joined(encodeEpisodes([])), shape)).toEqual([]);
  });

  test('read bytes that start anywhere', () => {
    const bytes = joined(encodeEpisodes([episode(1)]));
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(decodeEpisodes(shifted.subarray(3), shape)).toEqual([episode(1)]);
  });

  test.each([
    ['cut short', (bytes: Uint8Array) => bytes.slice(0, -8)],
    ['empty', () => new Uint8Array()],
    ['of another kind', () => new Uint8Array(64).fill(255)],
  ])('refuse bytes %s', (_, damage) => {
    const bytes = joined(encodeEpisodes([episode(1), episode(2)]));
    expect(() => decodeEpisodes(damage(bytes), shape)).toThrow(
      expect.objectContaining({ code: 'learner.badCheckpoint' }),
    );
  });

  test('refuse episodes of other widths', () => {
    const bytes = joined(encodeEpisodes([episode(1)]));
    expect(() => decodeEpisodes(bytes, { ...shape, stateWords: 3 })).toThrow(/are expected for 1 episodes/);
  });
});
