import type { CounterRng } from '../../../shared/std/rng.ts';
import {
  type Episode,
  type EpisodeShape,
  episodeBytes,
  type PackedEpisode,
  packEpisode,
  unpackEpisode,
} from './episode.ts';

/**
 * Bytes of episodes that are kept as they are. Unpacking those of a batch costs a gradient step of a small world a fifth of
 * its time; replays that large are of worlds whose gradient steps take longer.
 */
const openBytes = 256 * 2 ** 20;

type Kept = Episode | PackedEpisode;

/** The last `capacity` episodes; the oldest is replaced. Older ones are packed where all would be too large. */
export class EpisodeReplay {
  readonly capacity: number;
  readonly #shape: EpisodeShape;
  readonly #budget: number;
  #episodes: Kept[] = [];
  /** Place of the oldest, once full. */
  #oldest = 0;
  /** The newest ones are open: how many, and their bytes. */
  #numOpen = 0;
  #openBytes = 0;

  /** What is drawn does not depend on `budget`. */
  constructor(capacity: number, shape: EpisodeShape, budget = openBytes) {
    this.capacity = capacity;
    this.#shape = shape;
    this.#budget = budget;
  }

  get count(): number {
    return this.#episodes.length;
  }

  /** Bytes held. */
  get byteLength(): number {
    return this.#episodes.reduce((sum, kept) => sum + this.#sizeOf(kept), 0);
  }

  push(episode: Episode): void {
    if (this.#episodes.length < this.capacity) {
      this.#episodes.push(episode);
    } else {
      this.#count(this.#episodes[this.#oldest] as Kept, -1);
      this.#episodes[this.#oldest] = episode;
      this.#oldest = (this.#oldest + 1) % this.capacity;
    }
    this.#count(episode, 1);
    while (this.#openBytes > this.#budget) this.#packOldestOpen();
  }

  #packOldestOpen(): void {
    const place = (this.#oldest + this.count - this.#numOpen) % this.count;
    const episode = this.#episodes[place] as Episode;
    this.#count(episode, -1);
    this.#episodes[place] = packEpisode(episode);
  }

  #count(kept: Kept, sign: 1 | -1): void {
    if (isPacked(kept)) return;
    this.#numOpen += sign;
    this.#openBytes += sign * this.#sizeOf(kept);
  }

  #sizeOf(kept: Kept): number {
    return isPacked(kept) ? kept.frame.byteLength : episodeBytes(kept.length, this.#shape);
  }

  /** Place of the oldest episode, which what is drawn depends on: a replay that goes on bit for bit begins at the same one. */
  get start(): number {
    return this.#oldest;
  }

  /**
   * Holds these instead, the oldest first, and that one at the place `start`.
   * Requires: `decodeEpisodes` found them sound; start is 0 unless they are as many as there is room for.
   */
  load(episodes: readonly PackedEpisode[], start = 0): void {
    const last = episodes.slice(-this.capacity);
    let first = last.length;
    for (let room = this.#budget; first > 0; first--) {
      room -= episodeBytes((last[first - 1] as PackedEpisode).length, this.#shape);
      if (room < 0) break;
    }
    this.#hold(last.map((packed, i) => (i < first ? packed : unpackEpisode(packed, this.#shape))));
    this.#episodes = [
      ...this.#episodes.slice(last.length - start),
      ...this.#episodes.slice(0, last.length - start),
    ];
    this.#oldest = start;
  }

  /** Forgets the oldest share of what it holds; 1 forgets everything. */
  evict(share: number): void {
    this.#hold(this.#inOrder().slice(Math.ceil(this.count * share)));
  }

  /** Forgets the episodes that `isKept` turns down. Cost: unpacks all of them. */
  retain(isKept: (episode: Episode) => boolean): void {
    this.#hold(
      this.#inOrder().filter((kept) => isKept(isPacked(kept) ? unpackEpisode(kept, this.#shape) : kept)),
    );
  }

  #hold(episodes: Kept[]): void {
    this.#episodes = episodes;
    this.#oldest = 0;
    this.#numOpen = 0;
    this.#openBytes = 0;
    for (const kept of episodes) this.#count(kept, 1);
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
    return [...chosen].map((place) => {
      const kept = this.#episodes[place] as Kept;
      return isPacked(kept) ? unpackEpisode(kept, this.#shape) : kept;
    });
  }

  /** All of them, the oldest first. Cost: packs the open ones. */
  ordered(): PackedEpisode[] {
    return this.#inOrder().map((kept) => (isPacked(kept) ? kept : packEpisode(kept)));
  }

  #inOrder(): Kept[] {
    return [...this.#episodes.slice(this.#oldest), ...this.#episodes.slice(0, this.#oldest)];
  }
}

function isPacked(kept: Kept): kept is PackedEpisode {
  return 'frame' in kept;
}
