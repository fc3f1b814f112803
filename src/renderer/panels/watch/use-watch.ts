import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { valueOr } from '../../state/loadable.ts';
import { runLabels } from '../../state/run-labels.ts';
import { studyLabel } from '../../state/study-label.ts';
import { readSeed, type WatchModel, type WatchState } from '../../state/watch-model.ts';
import type { Option } from './watch-words.ts';

export interface WatchView extends WatchState {
  /** Runs to choose from, by study. */
  readonly studies: readonly { readonly label: string; readonly runs: readonly Option[] }[];
  /** Study of the run that is watched, in words; empty while it is not known. */
  readonly studyName: string;
  readonly isSeedSound: boolean;
  readonly model: WatchModel;
}

/** The run that is watched, else the first that is charted, else the newest; what there is of it is read anew as rounds end. */
export function useWatch(): WatchView {
  const { watch, studies } = useWorkbench();
  const state = useStore(watch.store);
  const { studies: loaded, chosenRunIds } = useStore(studies.store);
  const all = valueOr(loaded, []);
  const runs = all.flatMap((study) => study.runs);
  const run = runs.find(({ runId }) => runId === state.runId);
  const study = all.find(({ studyId }) => studyId === run?.studyId);
  const firstId = chosenRunIds[0] ?? runs[0]?.runId ?? null;

  useEffect(() => {
    if (state.runId === null && firstId !== null) watch.watch(firstId);
  }, [watch, state.runId, firstId]);

  // Dependencies: a round that ended has a policy more
  useEffect(() => void watch.refresh(), [watch, run?.round, run?.state]);

  useEffect(() => watch.cancel, [watch]);

  return {
    ...state,
    studies: all.map((study) => {
      const labels = runLabels(study.runs);
      const options = study.runs.map(({ runId }) => ({ value: runId, label: labels.get(runId) ?? runId }));
      return { label: studyLabel(study), runs: options };
    }),
    studyName: study === undefined ? '' : studyLabel(study),
    isSeedSound: readSeed(state.choice.seed) !== null,
    model: watch,
  };
}
