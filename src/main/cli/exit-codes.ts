import type { ErrorCode } from '../../shared/std/app-error.ts';

/** What scripts rely on: 0 ok, 1 failed, 2 bad input. */
export type ExitCode = 0 | 1 | 2;

/** Failures that are not the caller's to mend by giving something else. */
const failures: ReadonlySet<string> = new Set<ErrorCode>([
  'sim.addonMissing',
  'sim.addonMismatch',
  'learner.nonfinite',
  'learner.badCheckpoint',
  'store.constraint',
  'engine.unavailable',
  'engine.busy',
  'rpc.disconnected',
  'run.failed',
  'run.cancelled',
  'trainer.died',
  'modelHost.died',
  'model.outOfMemory',
  'model.timeout',
  'model.busy',
  'model.cancelled',
  'model.truncated',
  'coach.badOutput',
  'coach.refused',
  'desktop.unavailable',
  'internal',
]);

/** 1 where something went wrong while doing what was asked, 2 where it could not be asked for. */
export function exitCodeOf(code: string): ExitCode {
  return failures.has(code) ? 1 : 2;
}
