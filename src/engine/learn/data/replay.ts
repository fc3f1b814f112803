import type { CounterRng } from '../../../shared/std/rng.ts';
import { bad } from './checkpoint.ts';

/** What a step of a copy holds: W words of simulator state, A actions, A·C numbers of base reward. */
export interface EpisodeShape {
  readonly stateWords: number;
  readonly numAgents: number;
  readonly numBase: number;
}

/** A finished episode of T steps as the simulator's state: what agents saw and were paid is computed from it again. */
export interface Episode {
  /** Of the stream it was played in. */
  readonly seed: bigint;
  /** Its place there. */
  readonly index: number;
  readonly length: number;
  /** It ended by the rules of the world; else by its time limit or a trap. */
  readonly terminated: boolean;
  /** [T+1,W]: before every step, and after the last. */
  readonly states: Float64Array;
  /** [T,A] */
  readonly actions: Uint16Array;
  /** [T,A,C] */
  readonly base: Float32Array;
}

/** The last `capacity` episodes; the oldest is replaced. */
export class EpisodeReplay {
  readonly capacity: number;
  readonly #episodes: Episode[] = [];
  /** Place of the oldest, once full. */
  #oldest = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get count(): number {
    return this.#episodes.length;
  }

  /** Bytes held. */
  get byteLength(): number {
    return this.#episodes.reduce((sum, episode) => sum + episodeBytes(episode), 0);
  }

  push(episode: Episode): void {
    if (this.#episodes.length < this.capacity) {
      this.#episodes.push(episode);
      return;
    }
    this.#episodes[this.#oldest] = episode;
    this.#oldest = (this.#oldest + 1) % this.capacity;
  }

  clear(): void {
    this.#episodes.length = 0;
    this.#oldest = 0;
  }

  /** Forgets the oldest share of what it holds; 1 forgets everything. */
  evict(share: number): void {
    const kept = this.ordered();
    this.clear();
    for (const episode of kept.slice(Math.ceil(kept.length * share))) this.push(episode);
  }

  /**
   * `count` different episodes, each set as likely as any other.
   * Requires: count <= this.count. Source: Floyd's algorithm (Bentley and Floyd 1987). Seeds: `count` words of `rng`.
   */
  sample(count: number, rng: CounterRng): Episode[] {
    const chosen = new Set<number>();
    for (let bound = this.count - count + 1; bound <= this.count; bound++) {
      const place = rng.nextBelow(bound);
      chosen.add(chosen.has(place) ? bound - 1 : place);
    }
    return [...chosen].map((place) => this.#episodes[place] as Episode);
  }

  /** The oldest first. */
  ordered(): Episode[] {
    return [...this.#episodes.slice(this.#oldest), ...this.#episodes.slice(0, this.#oldest)];
  }
}

function episodeBytes({ states, actions, base }: Episode): number {
  return states.byteLength + actions.byteLength + base.byteLength;
}

/** Words of eight bytes per episode in the table. */
const tableWords = 4;

/**
 * Episodes as pieces of one block of bytes: their number, a table of (index, length, terminated in f64, seed in u64), then all states, base rewards and
 * actions, each aligned to its own size. The pieces are views, valid as long as the episodes are.
 */
export function encodeEpisodes(episodes: readonly Episode[]): Uint8Array[] {
  const table = new Float64Array(1 + tableWords * episodes.length);
  const seeds = new BigUint64Array(table.buffer);
  table[0] = episodes.length;
  for (const [i, { seed, index, length, terminated }] of episodes.entries()) {
    table.set([index, length, Number(terminated)], 1 + tableWords * i);
    seeds[tableWords * (i + 1)] = seed;
  }
  const parts = (['states', 'base', 'actions'] as const).flatMap((part) => episodes.map((e) => e[part]));
  return [table, ...parts].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
}

/** Throws: learner.badCheckpoint for bytes that are not episodes of this shape. */
export function decodeEpisodes(bytes: Uint8Array, shape: EpisodeShape): Episode[] {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset, byteLength } = aligned;
  const count = byteLength >= 8 ? (new Float64Array(buffer, byteOffset, 1)[0] as number) : -1;
  if (!(Number.isInteger(count) && count >= 0 && 8 + 8 * tableWords * count <= byteLength)) {
    throw bad('its replay is not a list of episodes');
  }
  const header = new Float64Array(buffer, byteOffset, 1 + tableWords * count);
  const seeds = new BigUint64Array(buffer, byteOffset, header.length);
  const lengths = Array.from({ length: count }, (_, i) => header[2 + tableWords * i] as number);
  const steps = lengths.reduce((sum, length) => sum + length, 0);
  const { stateWords, numAgents, numBase } = shape;
  const perStep = 8 * stateWords + 4 * numAgents * numBase + 2 * numAgents;
  const expected = header.byteLength + perStep * steps + 8 * stateWords * count;
  if (expected !== byteLength) {
    throw bad(`its replay has ${byteLength} bytes, ${expected} are expected for ${count} episodes`);
  }
  let offset = byteOffset + header.byteLength;
  const take = (size: number): number => {
    offset += size;
    return offset - size;
  };
  const copies = <T>(sizeOf: (length: number) => number, make: (at: number, length: number) => T): T[] =>
    lengths.map((length) => make(take(sizeOf(length)), length));
  // Copied out, so that an episode that is replaced later frees its memory.
  const states = copies(
    (length) => 8 * (length + 1) * stateWords,
    (at, length) => new Float64Array(buffer, at, (length + 1) * stateWords).slice(),
  );
  const base = copies(
    (length) => 4 * length * numAgents * numBase,
    (at, length) => new Float32Array(buffer, at, length * numAgents * numBase).slice(),
  );
  const actions = copies(
    (length) => 2 * length * numAgents,
    (at, length) => new Uint16Array(buffer, at, length * numAgents).slice(),
  );
  return lengths.map((length, i) => ({
    seed: seeds[tableWords * (i + 1)] as bigint,
    index: header[1 + tableWords * i] as number,
    length,
    terminated: header[3 + tableWords * i] === 1,
    states: states[i] as Float64Array,
    actions: actions[i] as Uint16Array,
    base: base[i] as Float32Array,
  }));
}
