import { createHash } from 'node:crypto';

/**
 * Seed for a key such as "seed / purpose / round": equal keys, equal seeds. All seeds of an experiment are derived from the
 * run's by this; a key that starts with a number is the trainer's, one that starts with a word the coach's.
 */
export function seedOf(...key: readonly (string | number)[]): bigint {
  return createHash('sha256').update(key.join('/'), 'utf8').digest().readBigUInt64LE(0);
}

/**
 * Seed of a stream of scored episodes, a pure function of the run's seed and what the stream is for.
 * `objective` (reported evaluations), `heldOut` and the scores of trials (`trialStreamSeed`) never share episodes.
 */
export function streamSeed(seed: number, label: 'objective' | 'heldOut'): bigint {
  return seedOf(seed, label);
}

/**
 * Seed of the episodes that score the branches of one trial: those of other pairs are others, so that what chance is in a set of starts
 * averages out over pairs.
 */
export function trialStreamSeed(seed: number, trialSeed: number): bigint {
  return seedOf(seed, 'whatif', trialSeed);
}

/**
 * Seed of all a learner draws, a non-negative 32-bit integer: parameters, actions, permutations, and the stream of
 * episodes its copies play.
 */
export function learnerSeed(seed: number, label: 'train' | 'trial'): number {
  return Number(BigInt.asUintN(32, seedOf(seed, 'learner', label)));
}
