import { join } from 'node:path';
import type { EnvironmentSpec, VecEnv, VecEnvOptions } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { readRecord, spreadSteps } from '../../train/index.ts';
import { runDirectory } from '../round-context.ts';
import type { VisitedStates } from './state-entropy.ts';

export interface StateTools {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly createVecEnv: (spec: EnvironmentSpec, options: VecEnvOptions) => VecEnv;
}

/** States looked at of a round, spread evenly over its record. */
const statesPerRound = 256;

/** States that a run was in during a round, from its record; null where the record is gone or of another version. */
export function readVisitedStates(
  { root, createVecEnv }: StateTools,
  { runId, recordFile }: { readonly runId: string; readonly recordFile: string },
  spec: EnvironmentSpec,
): VisitedStates | null {
  try {
    const { steps } = readRecord(join(root, runDirectory(runId), recordFile));
    const chosen = spreadSteps(steps, statesPerRound);
    if (chosen.length === 0) return null;
    const env = createVecEnv(spec, { numEnvs: chosen.length, seed: 0n, firstEpisode: 0 });
    try {
      env.reset(0n, 0);
      for (const [copy, { snapshot }] of chosen.entries()) env.restore(copy, snapshot);
      return { states: env.state.slice(), stateDim: env.stateDim };
    } finally {
      env.dispose();
    }
  } catch (thrown) {
    if (thrown instanceof AppError) return null;
    throw thrown;
  }
}
