import { AppError } from '../../shared/std/app-error.ts';
import type { RunSeries } from '../coach/types.ts';
import type { StoreReader } from '../store/index.ts';
import type { RoundReport } from '../train/index.ts';
import { readLoopState, roundTakenUp } from './loop-state.ts';

type Records = Pick<StoreReader, 'runs' | 'rounds' | 'rollbacks' | 'series'>;

/** How a round ended. Throws: store.corrupt for one that has no end on record. */
export function readReport({ rounds }: Pick<Records, 'rounds'>, runId: string, round: number): RoundReport {
  const outcome = rounds.find(runId, round)?.outcome;
  if (outcome === null || outcome === undefined) {
    throw new AppError('store.corrupt', `round ${round} of run ${runId} has no outcome on record.`);
  }
  return outcome.report as RoundReport;
}

/** The round whose end a run stands at once `round` is judged: that one, or an earlier one whose policy came back because it fell. */
export function roundStoodAt(
  { runs, rollbacks }: Pick<Records, 'runs' | 'rollbacks'>,
  runId: string,
  round: number,
): number {
  if (!rollbacks.listByRun(runId).some((rollback) => rollback.round === round)) return round;
  return roundTakenUp(readLoopState(runs.get(runId).loop), round) ?? round - 1;
}

/**
 * The metrics of a run up to the end of a round, without rounds that fell: what came in then was of a policy that is gone, and what comes
 * in while the coach thinks is not for it.
 */
export function seriesUntil(store: Records, runId: string, round: number): RunSeries {
  const last = readReport(store, runId, round).chargedSteps;
  const fallen = listFallen(store, runId, round);
  const isOwn = (step: number): boolean =>
    step <= last && !fallen.some(({ begin, end }) => step > begin && step <= end);
  const known = () => store.series.keys([runId]);
  return {
    keys: () => known().filter((key) => hasPoint(store, runId, key, isOwn)),
    history(key) {
      const steps: number[] = [];
      const values: number[] = [];
      if (!known().includes(key)) return { steps, values };
      for (const point of store.series.points(runId, key)) {
        if (point.step > last) break;
        if (!isOwn(point.step)) continue;
        steps.push(point.step);
        values.push(point.value);
      }
      return { steps, values };
    },
  };
}

/** Charged steps between which rounds that fell were trained. What is evaluated as they begin was learned before. */
function listFallen(store: Records, runId: string, until: number): { begin: number; end: number }[] {
  const { plans } = readLoopState(store.runs.get(runId).loop);
  return store.rollbacks
    .listByRun(runId)
    .filter(({ round }) => round <= until)
    .map(({ round }) => ({
      begin: (plans[round]?.trialSteps ?? 0) + readReport(store, runId, round - 1).ownSteps,
      end: readReport(store, runId, round).chargedSteps,
    }));
}

function hasPoint(
  { series }: Pick<Records, 'series'>,
  runId: string,
  key: string,
  isOwn: (step: number) => boolean,
): boolean {
  for (const { step } of series.points(runId, key)) if (isOwn(step)) return true;
  return false;
}
