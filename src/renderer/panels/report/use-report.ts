import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ReportView } from '../../../shared/contract/report.ts';
import type { StudyView } from '../../../shared/contract/runs.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { failed, type Loadable, pending, ready, valueOr } from '../../state/loadable.ts';

export interface ReportPanelView {
  readonly studies: readonly StudyView[];
  readonly studyId: string | null;
  readonly report: Loadable<ReportView>;
  choose(studyId: string): void;
  refresh(): void;
}

/** The report of the active study, or of the one chosen here; read anew when the study reaches another state. */
export function useReport(): ReportPanelView {
  const { client, studies } = useWorkbench();
  const all = valueOr(
    useStore(studies.store, (state) => state.studies),
    [],
  );
  const activeId = useStore(studies.store, (state) => state.activeStudyId);
  const [chosenId, choose] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const [report, setReport] = useState<Loadable<ReportView>>(pending);
  const study =
    all.find(({ studyId }) => studyId === chosenId) ??
    all.find(({ studyId }) => studyId === activeId) ??
    all[0];
  const studyId = study?.studyId ?? null;
  const numFinished = study?.runs.filter(({ state }) => state === 'finished').length ?? 0;

  // Dependencies: tries, and what changes the figures of scores
  useEffect(() => {
    if (studyId === null) return;
    let isCurrent = true;
    client.runs.report({ studyIds: [studyId] }).then(
      ({ reports: [first] }) => isCurrent && first !== undefined && setReport(ready(first)),
      (error: unknown) => isCurrent && setReport(failed(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, studyId, study?.state, numFinished, tries]);

  // Until the answer about another study is there, the old one is not shown under its name.
  const isOther = report.status === 'ready' && report.value.studyId !== studyId;
  return {
    studies: all,
    studyId,
    report: isOther ? pending : report,
    choose,
    refresh: () => setTries(tries + 1),
  };
}
