import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { createVecEnv } from './create-vec-env.ts';

/** Distinct batches of actions that a measurement cycles through. */
const numActionBatches = 16;

/** Small deterministic generator of actions; their quality does not matter here. */
function randomActions(length: number, numActions: number, seed: number): Int32Array {
  let word = (seed * 2654435761 + 1) >>> 0;
  return Int32Array.from({ length }, () => {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    return Math.floor((word / 2 ** 32) * numActions);
  });
}

/**
 * Steps copies of an environment with random actions, observations included, for about `seconds` on this thread.
 * Units: an env-step is one step of one copy.
 * Throws: what createVecEnv throws; RangeError for seconds that are not positive.
 */
export function measureSpeed(options: { spec: EnvironmentSpec; numEnvs: number; seconds: number }): {
  stepsPerSecond: number;
  copies: number;
  threads: number;
} {
  const { spec, numEnvs, seconds } = options;
  if (!(seconds > 0)) throw new RangeError(`seconds must be positive, not ${seconds}`);
  const env = createVecEnv(spec, { numEnvs, seed: 1n, firstEpisode: 0 });
  const fewest = Math.min(...env.manifest.groups.map((group) => group.numActions));
  const batches = Array.from({ length: numActionBatches }, (_, i) =>
    randomActions(numEnvs * env.numAgents, fewest, i),
  );
  for (const actions of batches) env.step(actions);
  const start = performance.now();
  let steps = 0;
  let elapsedMs = 0;
  while (elapsedMs < seconds * 1000) {
    for (const actions of batches) env.step(actions);
    steps += batches.length * numEnvs;
    elapsedMs = performance.now() - start;
  }
  env.dispose();
  return { stepsPerSecond: (steps / elapsedMs) * 1000, copies: numEnvs, threads: 1 };
}
