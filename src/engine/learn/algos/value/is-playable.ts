import type { PlaybackEnv } from '../../../../shared/rl/playback.ts';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { Episode } from '../../data/episode.ts';

/**
 * Whether every state of an episode is one of the playback's scenario under its parameters. One that was recorded under others
 * may hold places outside the field, or types that are no more. Leaves the playback at a beginning of whatever.
 * Cost: one `begin` per E states.
 */
export function isPlayable({ states, length, seed, index }: Episode, playback: PlaybackEnv): boolean {
  const { numEnvs } = playback;
  const width = states.length / (length + 1);
  const rows = new Float64Array(numEnvs * width);
  const seeds = new BigUint64Array(numEnvs).fill(seed);
  const indices = new Float64Array(numEnvs).fill(index);
  for (let t = 0; t <= length; t += numEnvs) {
    for (let e = 0; e < numEnvs; e++) {
      const moment = Math.min(t + e, length);
      rows.set(states.subarray(moment * width, (moment + 1) * width), e * width);
    }
    try {
      playback.begin(rows, seeds, indices);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'sim.badRecord') return false;
      throw thrown;
    }
  }
  return true;
}
