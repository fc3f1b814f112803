import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../app/workbench-context.tsx';
import type { Loadable } from '../../state/loadable.ts';
import { type StudyRow, studyRows } from './study-tree.ts';

export interface StudiesView {
  readonly rows: Loadable<readonly StudyRow[]>;
  readonly activeStudyId: string | null;
  readonly numChosen: number;
  toggle(row: StudyRow): void;
  chooseRun(row: StudyRow): void;
  chooseAll(row: StudyRow): void;
  showCharts(): void;
  showReport(): void;
  /** Shows how a policy plays: of the run in the row, or of the one watched last. */
  watch(row?: StudyRow): void;
  compare(): void;
  retry(): void;
}

export function useStudies(): StudiesView {
  const { studies, watch, dock } = useWorkbench();
  const state = useStore(studies.store);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());

  const rows = useMemo((): Loadable<readonly StudyRow[]> => {
    if (state.studies.status !== 'ready') return state.studies;
    return { status: 'ready', value: studyRows(state.studies.value, collapsed, new Set(state.chosenRunIds)) };
  }, [state.studies, state.chosenRunIds, collapsed]);

  return {
    rows,
    activeStudyId: state.activeStudyId,
    numChosen: state.chosenRunIds.length,
    toggle(row) {
      studies.activate(row.studyId);
      const next = new Set(collapsed);
      if (!next.delete(row.id)) next.add(row.id);
      setCollapsed(next);
    },
    chooseRun: (row) => studies.toggleRun(row.id),
    chooseAll(row) {
      const study =
        state.studies.status === 'ready'
          ? state.studies.value.find((other) => other.studyId === row.id)
          : undefined;
      if (!study) return;
      studies.activate(study.studyId);
      studies.chooseRuns(study.runs.map((run) => run.runId));
    },
    showCharts: () => dock.show('charts'),
    showReport: () => dock.show('report'),
    watch(row) {
      if (row) watch.watch(row.id);
      dock.show('watch');
    },
    compare: () => dock.show('compare'),
    retry: () => void studies.load(),
  };
}
