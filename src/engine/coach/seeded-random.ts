import { CounterRng } from '../../shared/std/rng.ts';
import { shuffle } from '../../shared/std/shuffle.ts';
import { seedOf } from '../train/seeds.ts';

/** A stream of its own for a key such as "purpose / seed / round": equal keys, equal numbers. */
export function createRandom(...key: readonly (string | number)[]): CounterRng {
  return new CounterRng(seedOf(...key), 0);
}

/** A non-negative 31-bit integer for a key. */
export function seedFor(...key: readonly (string | number)[]): number {
  return createRandom(...key).nextUint32() >>> 1;
}

/** The order of a random permutation of 0 … length−1. */
export function shuffledIndices(random: CounterRng, length: number): number[] {
  const order = Array.from({ length }, (_, i) => i);
  shuffle(order, random);
  return order;
}
