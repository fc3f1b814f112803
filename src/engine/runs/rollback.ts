import type { Incumbent } from './loop-state.ts';

/** How an environment did: the objective at the end of a round that trained in it. */
export type Measured = Incumbent;

/** Standard errors (of the difference of two evaluations) a drop must exceed to count as clear. */
const clearDrop = 2;

/**
 * Whether a round that trained in another environment fell clearly below the incumbent: by more than two standard
 * errors of the difference between the two evaluations, taken as independent. They share their episodes, so the
 * true error is smaller and the rule errs on the side of keeping an accepted change.
 */
export function hasDropped(measured: Measured, incumbent: Incumbent, better: 'higher' | 'lower'): boolean {
  if (measured.textHash === incumbent.textHash) return false;
  const loss =
    better === 'higher' ? incumbent.objective - measured.objective : measured.objective - incumbent.objective;
  return loss > dropMargin(measured, incumbent);
}

/** By how much an objective has to fall below the incumbent's to count as dropped. */
export function dropMargin(measured: Measured, incumbent: Incumbent): number {
  return clearDrop * Math.hypot(measured.error, incumbent.error);
}

/**
 * The incumbent after a round: kept after a clear drop; otherwise the environment just measured takes its place, and
 * keeps the best objective it was ever measured with.
 */
export function nextIncumbent(
  measured: Measured,
  incumbent: Incumbent | null,
  better: 'higher' | 'lower',
): Incumbent {
  if (incumbent === null) return measured;
  if (hasDropped(measured, incumbent, better)) return incumbent;
  if (measured.textHash !== incumbent.textHash) return measured;
  const isBetter =
    better === 'higher' ? measured.objective > incumbent.objective : measured.objective < incumbent.objective;
  return isBetter ? measured : incumbent;
}
