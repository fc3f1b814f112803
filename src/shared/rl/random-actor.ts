import { CounterRng } from '../std/rng.ts';
import type { VecEnv } from './vec-env.ts';

/**
 * Uniform over the legal actions of every agent of every copy.
 * Seeds: a stream of its own, of (seed, 1 + episode).
 */
export class RandomActor {
  readonly #env: VecEnv;
  readonly #rng: CounterRng;

  constructor(env: VecEnv, seed: number, episode = 0) {
    this.#env = env;
    this.#rng = new CounterRng(BigInt(seed), 1 + episode);
  }

  /** Shape: actions [E,A], written in full. */
  act(actions: Int32Array): void {
    const { numActions, availActions } = this.#env;
    for (let row = 0; row < actions.length; row++) {
      const legal = availActions.subarray(row * numActions, (row + 1) * numActions);
      const count = legal.reduce((sum, flag) => sum + flag, 0);
      let left = this.#rng.nextBelow(Math.max(1, count));
      actions[row] = Math.max(
        0,
        legal.findIndex((flag) => flag === 1 && left-- === 0),
      );
    }
  }
}
