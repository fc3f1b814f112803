import { createHash } from 'node:crypto';

function digest(seed: number, label: string): Buffer {
  return createHash('sha256').update(`${seed}/${label}`).digest();
}

/**
 * Seed of a stream of scored episodes, a pure function of the run's seed and what the stream is for.
 * Seeds: `objective` (reported evaluations) and `whatif` (scores of trials) never share episodes.
 */
export function streamSeed(seed: number, label: 'objective' | 'whatif'): bigint {
  return digest(seed, label).readBigUInt64LE(0);
}

/**
 * Seed of all a learner draws, a non-negative 32-bit integer: parameters, actions, permutations, and the stream of
 * episodes its copies play.
 */
export function learnerSeed(seed: number, label: 'train' | 'trial'): number {
  return digest(seed, `learner/${label}`).readUInt32LE(0);
}
