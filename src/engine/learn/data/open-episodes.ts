import type { RecordableEnv } from '../../../shared/rl/playback.ts';
import { bad } from './checkpoint.ts';
import {
  decodeEpisodes,
  type Episode,
  type EpisodeShape,
  encodeEpisodes,
  packEpisode,
  unpackEpisode,
} from './episode.ts';

/** What is kept of the episode a copy is in. Arrays double when they are full. */
interface OpenEpisode {
  length: number;
  states: Float64Array;
  actions: Uint16Array;
  base: Float32Array;
  paid: Float32Array;
}

/** Records what E copies do, step by step, and hands over every episode that ends. */
export class OpenEpisodes {
  readonly shape: EpisodeShape;
  readonly #copies: OpenEpisode[];
  /** [E,W]: states before the coming step, and of the copies that ended. */
  readonly #states: Float64Array;
  readonly #final: Float64Array;
  /** Of the stream that the copies play. */
  #seed = 0n;

  /** `keepsPaid`: episodes hold what was paid, for learners that do not compute it again. */
  constructor(env: RecordableEnv, keepsPaid = false) {
    const numBase = env.manifest.components.length;
    const numPaid = keepsPaid ? 1 : 0;
    this.shape = { stateWords: env.stateWords, numAgents: env.numAgents, numBase, numPaid };
    this.#states = new Float64Array(env.numEnvs * env.stateWords);
    this.#final = new Float64Array(this.#states.length);
    this.#copies = Array.from({ length: env.numEnvs }, () => this.#createCopy(32));
  }

  /** All copies stand at the beginning of an episode of the stream `seed`. */
  begin(env: RecordableEnv, seed: bigint): void {
    this.#seed = seed;
    env.copyStates(this.#states);
    for (const [e, copy] of this.#copies.entries()) {
      copy.length = 0;
      this.#writeState(copy, this.#states, e);
    }
  }

  /** Takes in the step just taken with `actions` [E,A]; calls `finish` for every episode it ended. */
  record(env: RecordableEnv, actions: Int32Array, finish: (episode: Episode) => void): void {
    env.copyStates(this.#states);
    env.copyFinalStates(this.#final);
    for (const [e, copy] of this.#copies.entries()) {
      this.#writeStep(copy, env, actions, e);
      const hasEnded = env.terminated[e] === 1 || env.truncated[e] === 1;
      this.#writeState(copy, hasEnded ? this.#final : this.#states, e);
      if (!hasEnded) continue;
      finish(this.#close(copy, env.endedEpisode[e] as number, env.terminated[e] === 1));
      copy.length = 0;
      this.#writeState(copy, this.#states, e);
    }
  }

  /** Episodes so far, by copy; for a checkpoint. */
  encode(): Uint8Array[] {
    return encodeEpisodes(this.#copies.map((copy) => packEpisode(this.#close(copy, 0, false))));
  }

  /** Reads what `encode` wrote; the function returned puts it in place. Throws: learner.badCheckpoint. */
  decode(bytes: Uint8Array): () => void {
    const episodes = decodeEpisodes(bytes, this.shape).map((episode) => unpackEpisode(episode, this.shape));
    if (episodes.length !== this.#copies.length) {
      throw bad(`it holds ${episodes.length} unfinished episodes, not ${this.#copies.length}`);
    }
    return () => {
      this.#seed = episodes[0]?.seed ?? 0n;
      for (const [e, copy] of this.#copies.entries()) {
        const episode = episodes[e] as Episode;
        while (this.#capacityOf(copy) <= episode.length) this.#grow(copy);
        copy.length = episode.length;
        copy.states.set(episode.states);
        copy.actions.set(episode.actions);
        copy.base.set(episode.base);
        copy.paid.set(episode.paid);
      }
    };
  }

  #createCopy(steps: number): OpenEpisode {
    const { stateWords, numAgents, numBase, numPaid } = this.shape;
    return {
      length: 0,
      states: new Float64Array((steps + 1) * stateWords),
      actions: new Uint16Array(steps * numAgents),
      base: new Float32Array(steps * numAgents * numBase),
      paid: new Float32Array(steps * numAgents * numPaid),
    };
  }

  #capacityOf(copy: OpenEpisode): number {
    return copy.actions.length / this.shape.numAgents;
  }

  #grow(copy: OpenEpisode): void {
    const larger = this.#createCopy(2 * this.#capacityOf(copy));
    larger.states.set(copy.states);
    larger.actions.set(copy.actions);
    larger.base.set(copy.base);
    larger.paid.set(copy.paid);
    Object.assign(copy, larger, { length: copy.length });
  }

  /** The state after `copy.length` steps: row e of `source`. */
  #writeState(copy: OpenEpisode, source: Float64Array, e: number): void {
    const { stateWords } = this.shape;
    copy.states.set(source.subarray(e * stateWords, (e + 1) * stateWords), copy.length * stateWords);
  }

  #writeStep(copy: OpenEpisode, env: RecordableEnv, actions: Int32Array, e: number): void {
    const { numAgents, numBase, numPaid } = this.shape;
    if (copy.length === this.#capacityOf(copy)) this.#grow(copy);
    const first = copy.length * numAgents;
    for (let a = 0; a < numAgents; a++) {
      const row = e * numAgents + a;
      copy.actions[first + a] = actions[row] as number;
      for (let c = 0; c < numBase; c++) {
        copy.base[(first + a) * numBase + c] = env.components[row * env.numComponents + c] as number;
      }
      if (numPaid === 1) copy.paid[first + a] = env.rewards[row] as number;
    }
    copy.length++;
  }

  #close({ length, states, actions, base, paid }: OpenEpisode, index: number, terminated: boolean): Episode {
    const { stateWords, numAgents, numBase, numPaid } = this.shape;
    return {
      seed: this.#seed,
      index,
      length,
      terminated,
      states: states.slice(0, (length + 1) * stateWords),
      actions: actions.slice(0, length * numAgents),
      base: base.slice(0, length * numAgents * numBase),
      paid: paid.slice(0, length * numAgents * numPaid),
    };
  }
}
