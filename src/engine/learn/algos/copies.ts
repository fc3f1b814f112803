import type { VecEnv } from '../../../shared/rl/vec-env.ts';

/** Snapshots of all copies, in their order. */
export function snapshotCopies(env: VecEnv): Uint8Array[] {
  return Array.from({ length: env.numEnvs }, (_, e) => env.snapshot(e));
}

/** Brings every copy where its snapshot was taken. Throws: sim.badSnapshot; all copies are then where they were. */
export function restoreCopies(env: VecEnv, snapshots: readonly Uint8Array[]): void {
  const before = snapshotCopies(env);
  try {
    for (const [e, snapshot] of snapshots.entries()) env.restore(e, snapshot);
  } catch (thrown) {
    for (const [e, snapshot] of before.entries()) env.restore(e, snapshot);
    throw thrown;
  }
}
