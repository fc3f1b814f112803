import { setImmediate } from 'node:timers/promises';
import type { EnvironmentSpec, VecEnv } from '../../shared/rl/vec-env.ts';
import { createVecEnv } from './create-vec-env.ts';
import { randomActions } from './random-actions.ts';

/** Stepping goes on this long before other work of the thread gets its turn. */
const sliceMs = 10;
/** Distinct batches of actions that a measurement cycles through. */
const numActionBatches = 16;

/**
 * Steps copies of an environment with random actions, observations included, for about `seconds` on this thread, in
 * slices between which other work gets its turn; only the slices are timed.
 * Units: an env-step is one step of one copy.
 * Throws: what createVecEnv throws; RangeError for seconds that are not positive.
 */
export async function measureSpeed(options: {
  spec: EnvironmentSpec;
  numEnvs: number;
  seconds: number;
}): Promise<{ stepsPerSecond: number; copies: number; threads: number }> {
  const { spec, numEnvs, seconds } = options;
  if (!(seconds > 0)) throw new RangeError(`seconds must be positive, not ${seconds}`);
  const env = createVecEnv(spec, { numEnvs, seed: 1n, firstEpisode: 0 });
  const fewest = Math.min(...env.manifest.groups.map((group) => group.numActions));
  const batches = Array.from({ length: numActionBatches }, (_, i) =>
    randomActions(numEnvs * env.numAgents, fewest, i),
  );
  try {
    for (const actions of batches) env.step(actions);
    let batchSteps = 0;
    let elapsedMs = 0;
    while (elapsedMs < seconds * 1000) {
      await setImmediate();
      const slice = stepForSlice(env, batches, batchSteps);
      batchSteps += slice.batchSteps;
      elapsedMs += slice.elapsedMs;
    }
    return { stepsPerSecond: ((batchSteps * numEnvs) / elapsedMs) * 1000, copies: numEnvs, threads: 1 };
  } finally {
    env.dispose();
  }
}

/** A million copies take longer than a slice for one step: then a slice is one step. */
function stepForSlice(
  env: VecEnv,
  batches: readonly Int32Array[],
  stepped: number,
): { batchSteps: number; elapsedMs: number } {
  const start = performance.now();
  let batchSteps = 0;
  let elapsedMs = 0;
  while (elapsedMs < sliceMs) {
    env.step(batches[(stepped + batchSteps) % batches.length] as Int32Array);
    batchSteps++;
    elapsedMs = performance.now() - start;
  }
  return { batchSteps, elapsedMs };
}
