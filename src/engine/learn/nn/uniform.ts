import type { CounterRng } from '../../../shared/std/rng.ts';

/** Uniform over [-bound, bound). Seeds: one word of `rng` per number. */
export function uniform(rng: CounterRng, count: number, bound: number): Float32Array {
  return Float32Array.from({ length: count }, () => (2 * rng.nextFloat() - 1) * bound);
}
