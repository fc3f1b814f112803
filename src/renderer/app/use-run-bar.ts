import { useState } from 'react';
import { useStore } from 'zustand';
import type { StudyView } from '../../shared/contract/runs.ts';
import { fractionOf } from '../panels/studies/study-tree.ts';
import { valueOr } from '../state/loadable.ts';
import { useWorkbench } from './workbench-context.tsx';

export interface RunBarView {
  readonly experimentPaths: readonly string[];
  readonly experimentPath: string | null;
  readonly isStarting: boolean;
  /** All studies, newest first: the controls act on the active one. */
  readonly studies: readonly StudyView[];
  readonly active: StudyView | null;
  readonly fraction: number;
  readonly stepsPerSecond: number | null;
  choose(path: string): void;
  /** Makes a study the active one and shows its runs. */
  activate(studyId: string): void;
  start(): void;
  pause(): void;
  unpause(): void;
  stop(): void;
  resume(): void;
}

export function useRunBar(): RunBarView {
  const { workspace, studies, documents, dock, attempt } = useWorkbench();
  const entries = useStore(workspace.store, (state) => state.entries);
  const state = useStore(studies.store);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);

  const experimentPaths = valueOr(entries, [])
    .filter((entry) => entry.kind === 'experiment')
    .map((entry) => entry.path);
  const experimentPath =
    chosen !== null && experimentPaths.includes(chosen) ? chosen : (experimentPaths[0] ?? null);
  const all = valueOr(state.studies, []);
  const active = all.find((study) => study.studyId === state.activeStudyId) ?? null;
  const onActive = (title: string, work: (studyId: string) => Promise<unknown>) => (): void => {
    if (active) void attempt(title, () => work(active.studyId));
  };

  return {
    experimentPaths,
    experimentPath,
    isStarting,
    studies: all,
    active,
    fraction: active ? overallFraction(active) : 0,
    stepsPerSecond: active ? overallSpeed(active) : null,
    choose: setChosen,
    activate(studyId) {
      studies.activate(studyId);
      const study = all.find((other) => other.studyId === studyId);
      if (study) studies.chooseRuns(study.runs.map((run) => run.runId));
    },
    start() {
      if (experimentPath === null) return;
      setStarting(true);
      void attempt('The experiment did not start', async () => {
        await documents.saveAll();
        await studies.start({ experimentPath });
        dock.show('charts');
      }).finally(() => setStarting(false));
    },
    pause: onActive('Not paused', studies.pause),
    unpause: onActive('Not continued', studies.unpause),
    stop: onActive('Not stopped', studies.stop),
    resume: onActive('Not resumed', studies.resume),
  };
}

/** Spent share of the budgets of all runs together. */
export function overallFraction(study: StudyView): number {
  const total = study.runs.reduce((sum, run) => sum + run.totalSteps, 0);
  return total === 0 ? 0 : study.runs.reduce((sum, run) => sum + fractionOf(run) * run.totalSteps, 0) / total;
}

/** Training speed of all running trainers together, when any has been measured. */
export function overallSpeed(study: StudyView): number | null {
  const speeds = study.runs
    .filter((run) => run.state === 'running')
    .map((run) => run.stepsPerSecond)
    .filter((speed) => speed !== null);
  return speeds.length === 0 ? null : speeds.reduce((sum, speed) => sum + speed, 0);
}
