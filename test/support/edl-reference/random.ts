import { philoxBlock } from '../../../src/shared/std/rng.ts';

/** Streams of native/include/gymwright/rng.hpp that programs draw from. */
export const programStream = 4;

const mask = (1n << 64n) - 1n;

/** Finaliser of SplitMix64. */
function mix64(word: bigint): bigint {
  let x = word & mask;
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & mask;
  return x ^ (x >> 31n);
}

/** FNV-1a: what a draw is known by, whatever else the text declares. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Names a declaration's draws. */
export const keyOf = (kind: string, name: string): number => hashOf(`${kind} ${name}`);

/** The random numbers of one episode, each a pure function of who draws, in which step, for the how manieth time. */
export class EpisodeDraws {
  readonly #key: bigint;
  constructor(seed: bigint, episode: number) {
    this.#key = mix64(seed ^ mix64(BigInt(episode) + 0x9e3779b97f4a7c15n));
  }

  /** Uniform in [0, 1) in steps of 2^-53. */
  uniform(key: number, step: number, draw: number): number {
    const [low, high] = philoxBlock([draw, key, step, programStream], this.#key);
    return Number(((BigInt(high) << 32n) | BigInt(low)) >> 11n) * 2 ** -53;
  }
}
