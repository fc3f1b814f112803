import type { CounterRng } from '../../../shared/std/rng.ts';
import {
  type Episode,
  type EpisodeShape,
  type PackedEpisode,
  packEpisode,
  unpackEpisode,
} from './episode.ts';

/** The last `capacity` episodes, packed; the oldest is replaced. */
export class EpisodeReplay {
  readonly capacity: number;
  readonly #shape: EpisodeShape;
  readonly #episodes: PackedEpisode[] = [];
  /** Place of the oldest, once full. */
  #oldest = 0;

  constructor(capacity: number, shape: EpisodeShape) {
    this.capacity = capacity;
    this.#shape = shape;
  }

  get count(): number {
    return this.#episodes.length;
  }

  /** Bytes held. */
  get byteLength(): number {
    return this.#episodes.reduce((sum, { frame }) => sum + frame.byteLength, 0);
  }

  push(episode: Episode): void {
    this.#keep(packEpisode(episode));
  }

  #keep(episode: PackedEpisode): void {
    if (this.#episodes.length < this.capacity) {
      this.#episodes.push(episode);
      return;
    }
    this.#episodes[this.#oldest] = episode;
    this.#oldest = (this.#oldest + 1) % this.capacity;
  }

  /** Holds these instead, the oldest first. */
  load(episodes: readonly PackedEpisode[]): void {
    this.#episodes.length = 0;
    this.#oldest = 0;
    for (const episode of episodes) this.#keep(episode);
  }

  /** Forgets the oldest share of what it holds; 1 forgets everything. */
  evict(share: number): void {
    const kept = this.ordered();
    this.load(kept.slice(Math.ceil(kept.length * share)));
  }

  /**
   * `count` different episodes, each set as likely as any other.
   * Requires: count <= this.count. Source: Floyd's algorithm (Bentley and Floyd 1987). Seeds: `count` words of `rng`.
   * Throws: learner.badCheckpoint for an episode that was damaged before it was loaded.
   */
  sample(count: number, rng: CounterRng): Episode[] {
    const chosen = new Set<number>();
    for (let bound = this.count - count + 1; bound <= this.count; bound++) {
      const place = rng.nextBelow(bound);
      chosen.add(chosen.has(place) ? bound - 1 : place);
    }
    return [...chosen].map((place) => unpackEpisode(this.#episodes[place] as PackedEpisode, this.#shape));
  }

  /** The oldest first. */
  ordered(): PackedEpisode[] {
    return [...this.#episodes.slice(this.#oldest), ...this.#episodes.slice(0, this.#oldest)];
  }
}
