import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { bad } from './checkpoint.ts';

/** What a step of a copy holds: W words of simulator state, A actions, A·C numbers of base reward, A·P of what was paid. */
export interface EpisodeShape {
  readonly stateWords: number;
  readonly numAgents: number;
  readonly numBase: number;
  /** 1: what the step paid is kept too; 0: it is computed when the episode is learned from. */
  readonly numPaid: 0 | 1;
}

/** What an episode is known by. */
export interface EpisodeLabel {
  /** Of the stream it was played in. */
  readonly seed: bigint;
  /** Its place there. */
  readonly index: number;
  readonly length: number;
  /** It ended by the rules of the world; else by its time limit or a trap. */
  readonly terminated: boolean;
}

/** An episode of T steps as the simulator's state: what agents saw and were paid is computed from it again. */
export interface Episode extends EpisodeLabel {
  /** [T+1,W]: before every step, and after the last. */
  readonly states: Float64Array;
  /** [T,A] */
  readonly actions: Uint16Array;
  /** [T,A,C] */
  readonly base: Float32Array;
  /** [T,A·P] whole rewards, shaping included, as they were when it was played. */
  readonly paid: Float32Array;
}

/** The same in a fraction of the bytes: most words of a state stay from step to step, or are small whole numbers. */
export interface PackedEpisode extends EpisodeLabel {
  /** One zstd frame of states, base rewards and actions. */
  readonly frame: Uint8Array;
}

/** Bytes of an unpacked episode of `length` steps. */
export function episodeBytes(
  length: number,
  { stateWords, numAgents, numBase, numPaid }: EpisodeShape,
): number {
  return 8 * (length + 1) * stateWords + length * numAgents * (4 * (numBase + numPaid) + 2);
}

/** Lossless. Cost: some 3 µs per kilobyte of the episode at the fastest of the ordinary levels; higher ones gain nothing. */
export function packEpisode({ states, actions, base, paid, ...label }: Episode): PackedEpisode {
  const content = Buffer.concat([states, base, paid, actions].map(bytesOf));
  const frame = zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  // A copy of its own size: the frame lies in a buffer with room for more.
  return { ...label, frame: new Uint8Array(frame) };
}

/** Throws: learner.badCheckpoint for a frame that is none, or holds an episode of another length or shape. */
export function unpackEpisode({ frame, ...label }: PackedEpisode, shape: EpisodeShape): Episode {
  const { length } = label;
  const { stateWords, numAgents, numBase, numPaid } = shape;
  const numStates = (length + 1) * stateWords;
  const bases = length * numAgents * numBase;
  const pays = length * numAgents * numPaid;
  const expected = episodeBytes(length, shape);
  const content = contentOf(frame, expected);
  if (content.byteLength !== expected) {
    throw bad(`episode ${label.index} has ${content.byteLength} bytes, ${expected} are expected`);
  }
  const { buffer, byteOffset: at } = content.byteOffset % 8 === 0 ? content : Uint8Array.from(content);
  return {
    ...label,
    states: new Float64Array(buffer, at, numStates),
    base: new Float32Array(buffer, at + 8 * numStates, bases),
    paid: new Float32Array(buffer, at + 8 * numStates + 4 * bases, pays),
    actions: new Uint16Array(buffer, at + 8 * numStates + 4 * (bases + pays), length * numAgents),
  };
}

function contentOf(frame: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return zstdDecompressSync(frame, { maxOutputLength: Math.max(maxOutputLength, 1) });
  } catch (thrown) {
    throw bad(`an episode cannot be unpacked (${thrown instanceof Error ? thrown.message : String(thrown)})`);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Float32Array | Uint16Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Words of eight bytes per episode in the table. */
const tableWords = 5;

/**
 * Packed episodes as pieces of one block of bytes: their number, a table of index, length, terminated, bytes (f64) and seed
 * (u64), then their frames. The pieces are views, valid as long as the episodes are.
 */
export function encodeEpisodes(episodes: readonly PackedEpisode[]): Uint8Array[] {
  const table = new Float64Array(1 + tableWords * episodes.length);
  const seeds = new BigUint64Array(table.buffer);
  table[0] = episodes.length;
  for (const [i, { seed, index, length, terminated, frame }] of episodes.entries()) {
    table.set([index, length, Number(terminated), frame.byteLength], 1 + tableWords * i);
    seeds[tableWords * (i + 1)] = seed;
  }
  return [bytesOf(table), ...episodes.map(({ frame }) => frame)];
}

/**
 * Reads what `encodeEpisodes` wrote. Every frame is unpacked once, so that none is found damaged in mid-training.
 * Throws: learner.badCheckpoint for bytes that are not episodes of this shape.
 */
export function decodeEpisodes(bytes: Uint8Array, shape: EpisodeShape): PackedEpisode[] {
  const count = bytes.byteLength >= 8 ? new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true) : -1;
  const tableBytes = 8 + 8 * tableWords * count;
  if (!(Number.isInteger(count) && count >= 0 && tableBytes <= bytes.byteLength)) {
    throw bad('its replay is not a list of episodes');
  }
  // Copied out, so that the words are aligned.
  const table = new Float64Array(new Uint8Array(bytes.subarray(0, tableBytes)).buffer);
  const seeds = new BigUint64Array(table.buffer);
  let at = tableBytes;
  const episodes = Array.from({ length: count }, (_, i): PackedEpisode => {
    const [index = 0, length = 0, terminated, size = 0] = table.subarray(1 + tableWords * i);
    if (![index, length, size].every((value) => Number.isSafeInteger(value) && value >= 0)) {
      throw bad(`episode ${i} of its replay has no index or length`);
    }
    at += size;
    // Copied out, so that an episode that is replaced later frees its memory.
    const frame = new Uint8Array(bytes.subarray(at - size, at));
    return {
      seed: seeds[tableWords * (i + 1)] as bigint,
      index,
      length,
      terminated: terminated === 1,
      frame,
    };
  });
  if (at !== bytes.byteLength) {
    throw bad(`its replay has ${bytes.byteLength} bytes, ${at} are expected for ${count} episodes`);
  }
  for (const episode of episodes) unpackEpisode(episode, shape);
  return episodes;
}
