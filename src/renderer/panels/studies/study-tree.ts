import type { RunState, RunView, StudyView } from '../../../shared/contract/runs.ts';
import type { TreeRow } from '../../components/tree-view.tsx';
import { formatStart, studyShortId } from '../../state/study-label.ts';

export interface StudyRow extends TreeRow {
  readonly kind: 'study' | 'run';
  readonly studyId: string;
  readonly state: RunState;
  /** Share of the budget that is spent, 0..1. */
  readonly fraction: number;
  readonly objective: number | null;
  readonly error: string | null;
  /** Short id and start of a study, which tell studies of one name apart; the stage of a run. */
  readonly detail: string;
  readonly isChosen: boolean;
}

/** Studies, newest first, and under each its runs by arm and seed. */
export function studyRows(
  studies: readonly StudyView[],
  collapsed: ReadonlySet<string>,
  chosen: ReadonlySet<string>,
): StudyRow[] {
  return studies.flatMap((study) => {
    const isExpanded = !collapsed.has(study.studyId);
    const head: StudyRow = {
      id: study.studyId,
      kind: 'study',
      studyId: study.studyId,
      depth: 0,
      label: study.name,
      detail: `${studyShortId(study.studyId)} · ${formatStart(study.createdAt)}`,
      state: study.state,
      isExpanded,
      fraction: mean(study.runs.map(fractionOf)),
      objective: null,
      error: null,
      isChosen: false,
    };
    return isExpanded ? [head, ...study.runs.map((run) => runRow(run, chosen))] : [head];
  });
}

/** Share of a run's charged budget that is spent. */
export function fractionOf(run: RunView): number {
  return run.totalSteps > 0 ? Math.min(1, run.step / run.totalSteps) : 0;
}

function runRow(run: RunView, chosen: ReadonlySet<string>): StudyRow {
  return {
    id: run.runId,
    kind: 'run',
    studyId: run.studyId,
    depth: 1,
    label: `${run.arm} · seed ${run.seed}`,
    detail: run.stage === null ? '' : `${run.stage.name} ${run.stage.index + 1}/${run.stage.count}`,
    state: run.state,
    isExpanded: null,
    fraction: fractionOf(run),
    objective: run.objective,
    error: run.error?.message ?? null,
    isChosen: chosen.has(run.runId),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
