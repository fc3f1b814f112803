import type { CounterRng } from './rng.ts';

/** Brings `values` into a uniformly random order (Fisher and Yates). Seeds: n - 1 words of `rng`. */
export function shuffle(values: Uint16Array | Uint32Array | number[], rng: CounterRng): void {
  for (let i = values.length - 1; i > 0; i--) {
    const j = rng.nextBelow(i + 1);
    const swapped = values[i] as number;
    values[i] = values[j] as number;
    values[j] = swapped;
  }
}
