import { describe, expect, test } from 'vitest';
import {
  decodeEpisodes,
  type Episode,
  encodeEpisodes,
  packEpisode,
  unpackEpisode,
} from '../../../../src/engine/learn/data/episode.ts';

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

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

const encode = (episodes: readonly Episode[]) => encodeEpisodes(episodes.map(packEpisode));

const reread = (bytes: Uint8Array): Episode[] =>
  decodeEpisodes(bytes, shape).map((packed) => unpackEpisode(packed, shape));

describe('packEpisode and unpackEpisode', () => {
  test('lose nothing: signs of zero, tiny numbers, all bits of a number that is none', () => {
    const bits = BigUint64Array.of(
      0x8000000000000000n,
      1n,
      0x7ff8000000001234n,
      0n,
      2n ** 64n - 1n,
      0x3ff0000000000001n,
    );
    const odd = { ...episode(1), states: new Float64Array(bits.buffer) };
    const { states, ...rest } = unpackEpisode(packEpisode(odd), shape);
    expect(new BigUint64Array(states.slice().buffer)).toEqual(bits);
    expect(rest).toEqual({ ...episode(1), states: undefined });
  });

  test('refuse a frame of more bytes than its episode has, before they are unpacked', () => {
    const { frame } = packEpisode(episode(1, 5000));
    expect(() => unpackEpisode({ ...packEpisode(episode(1)), frame }, shape)).toThrow(
      expect.objectContaining({
        code: 'learner.badCheckpoint',
        message: expect.stringContaining('cannot be unpacked'),
      }),
    );
  });
});

describe('encodeEpisodes and decodeEpisodes', () => {
  test('give back what went in, of any lengths', () => {
    const episodes = [episode(3, 1), episode(4, 5), episode(5, 0)];
    expect(reread(joined(encode(episodes)))).toEqual(episodes);
    expect(reread(joined(encode([])))).toEqual([]);
  });

  test('read bytes that start anywhere', () => {
    const bytes = joined(encode([episode(1)]));
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(reread(shifted.subarray(3))).toEqual([episode(1)]);
    // A Buffer's slices are views.
    const packed = decodeEpisodes(Buffer.from(shifted).subarray(3), shape);
    expect(packed[0]?.frame.buffer.byteLength).toBe(packed[0]?.frame.byteLength);
  });

  test.each([
    ['cut short', (bytes: Uint8Array) => bytes.slice(0, -8)],
    ['with more behind', (bytes: Uint8Array) => Uint8Array.of(...bytes, 0)],
    ['that are no frame', (bytes: Uint8Array) => bytes.fill(7, 88)],
    ['of which the last is no frame', (bytes: Uint8Array) => bytes.fill(7, -8)],
    ['of no length', (bytes: Uint8Array) => bytes.fill(255, 16, 24)],
    ['of no index', (bytes: Uint8Array) => bytes.fill(255, 8, 16)],
    ['empty', () => new Uint8Array()],
    ['of another kind', () => new Uint8Array(64).fill(255)],
  ])('refuse bytes %s', (_, damage) => {
    const bytes = joined(encode([episode(1), episode(2)]));
    expect(() => decodeEpisodes(damage(bytes), shape)).toThrow(
      expect.objectContaining({ code: 'learner.badCheckpoint' }),
    );
  });

  test('refuse episodes of other widths', () => {
    const bytes = joined(encode([episode(1)]));
    expect(() => decodeEpisodes(bytes, { ...shape, stateWords: 1 })).toThrow(
      expect.objectContaining({ code: 'learner.badCheckpoint' }),
    );
  });
});
