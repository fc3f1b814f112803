import { createHash } from 'node:crypto';

/**
 * Uniform numbers in [0, 1) from a key such as "study seed / round / purpose": equal keys, equal numbers.
 * Source: sfc32 (C. Doty-Humphrey, PractRand), seeded with the key's SHA-256.
 */
export function createRandom(key: string): () => number {
  const seed = createHash('sha256').update(key, 'utf8').digest();
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** An index below `length`. */
export function pickIndex(random: () => number, length: number): number {
  return Math.min(length - 1, Math.floor(random() * length));
}

/** The order of a random permutation of 0 … length−1 (Fisher and Yates). */
export function shuffledIndices(random: () => number, length: number): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = pickIndex(random, i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}
