import { createHash } from 'node:crypto';
import { CounterRng } from '../../shared/std/rng.ts';

/** A stream of its own for a key such as "seed / round / purpose": equal keys, equal numbers. */
export function createRandom(...key: readonly (string | number)[]): CounterRng {
  const digest = createHash('sha256').update(key.join('/'), 'utf8').digest();
  return new CounterRng(digest.readBigUInt64LE(0), 0);
}

/** A non-negative 31-bit integer for a key. */
export function seedFor(...key: readonly (string | number)[]): number {
  return createRandom(...key).nextUint32() >>> 1;
}

/** The order of a random permutation of 0 … length−1 (Fisher and Yates). */
export function shuffledIndices(random: CounterRng, length: number): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = random.nextBelow(i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}
