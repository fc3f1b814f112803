import type { RunView } from '../../shared/contract/runs.ts';
import { studyShortId } from './study-label.ts';

/** Names of runs shown together, by id: arm and seed, and the study where there are several. */
export function runLabels(runs: readonly RunView[]): ReadonlyMap<string, string> {
  const isOneStudy = new Set(runs.map((run) => run.studyId)).size <= 1;
  return new Map(
    runs.map((run) => {
      const own = `${run.arm} · seed ${run.seed}`;
      return [run.runId, isOneStudy ? own : `${own} · ${studyShortId(run.studyId)}`];
    }),
  );
}
