import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../shared/contract/index.ts';
import type { RunView, StudyView } from '../../shared/contract/runs.ts';
import { failed, type Loadable, pending, ready } from './loadable.ts';

export interface StudiesState {
  readonly studies: Loadable<readonly StudyView[]>;
  /** Runs shown in charts and offered for comparison, in the order they were chosen. */
  readonly chosenRunIds: readonly string[];
  /** The study the run controls act on. */
  readonly activeStudyId: string | null;
}

export interface StartRequest {
  readonly experimentPath: string;
  readonly arm?: string;
  readonly seed?: number;
}

export interface StudiesModel {
  readonly store: StoreApi<StudiesState>;
  load(): Promise<void>;
  /** Starts the experiment, makes its study the active one and shows its runs. */
  start(request: StartRequest): Promise<StudyView>;
  resume(studyId: string): Promise<void>;
  pause(studyId: string): Promise<void>;
  unpause(studyId: string): Promise<void>;
  stop(studyId: string): Promise<void>;
  activate(studyId: string): void;
  toggleRun(runId: string): void;
  chooseRuns(runIds: readonly string[]): void;
}

/** Replaces a study by id, or puts a new one first. */
export function withStudy(studies: readonly StudyView[], study: StudyView): readonly StudyView[] {
  const isKnown = studies.some((other) => other.studyId === study.studyId);
  return isKnown
    ? studies.map((other) => (other.studyId === study.studyId ? study : other))
    : [study, ...studies];
}

/** Replaces a run inside its study; a run that its study does not list yet is added at the end. */
export function withRun(studies: readonly StudyView[], run: RunView): readonly StudyView[] {
  return studies.map((study) => {
    if (study.studyId !== run.studyId) return study;
    const isKnown = study.runs.some((other) => other.runId === run.runId);
    const runs = isKnown
      ? study.runs.map((other) => (other.runId === run.runId ? run : other))
      : [...study.runs, run];
    return { ...study, runs };
  });
}

/** All runs of all studies by id. */
export function runsById(studies: readonly StudyView[]): ReadonlyMap<string, RunView> {
  return new Map(studies.flatMap((study) => study.runs.map((run) => [run.runId, run])));
}

/** Studies and runs with their states, what is chosen of them, and the commands on them. */
export function createStudiesModel(client: Client): StudiesModel {
  const store = createStore<StudiesState>(() => ({
    studies: pending,
    chosenRunIds: [],
    activeStudyId: null,
  }));

  const update = (change: (studies: readonly StudyView[]) => readonly StudyView[]): void =>
    store.setState((state) => ({
      studies: ready(change(state.studies.status === 'ready' ? state.studies.value : [])),
    }));
  const put = (study: StudyView): void => update((studies) => withStudy(studies, study));

  /** Runs of the active study appear only once they are made: those not chosen by hand follow it. */
  const followActive = (study: StudyView): void => {
    const state = store.getState();
    if (state.activeStudyId !== study.studyId || state.chosenRunIds.length > 0) return;
    store.setState({ chosenRunIds: study.runs.map((run) => run.runId) });
  };

  client.on('study.changed', (study) => {
    put(study);
    followActive(study);
  });
  client.on('run.changed', (run) => update((studies) => withRun(studies, run)));

  const begin = async (args: Parameters<Client['runs']['start']>[0]): Promise<StudyView> => {
    const study = await client.runs.start(args);
    put(study);
    store.setState({ activeStudyId: study.studyId, chosenRunIds: study.runs.map((run) => run.runId) });
    return study;
  };

  return {
    store,
    async load() {
      try {
        const studies = await client.runs.list({});
        const newest = studies[0];
        store.setState((state) => ({
          studies: ready(studies),
          activeStudyId: state.activeStudyId ?? newest?.studyId ?? null,
          chosenRunIds:
            state.chosenRunIds.length > 0 ? state.chosenRunIds : (newest?.runs.map((run) => run.runId) ?? []),
        }));
      } catch (thrown) {
        store.setState({ studies: failed(thrown) });
      }
    },
    start: (request) => begin({ ...request }),
    async resume(studyId) {
      const { studies } = store.getState();
      const study =
        studies.status === 'ready' ? studies.value.find((other) => other.studyId === studyId) : undefined;
      await begin({ experimentPath: study?.experimentPath ?? '', resume: studyId });
    },
    pause: async (studyId) => put(await client.runs.pause({ studyId })),
    unpause: async (studyId) => put(await client.runs.unpause({ studyId })),
    stop: async (studyId) => put(await client.runs.stop({ studyId })),
    activate: (studyId) => store.setState({ activeStudyId: studyId }),
    toggleRun(runId) {
      store.setState(({ chosenRunIds }) => ({
        chosenRunIds: chosenRunIds.includes(runId)
          ? chosenRunIds.filter((id) => id !== runId)
          : [...chosenRunIds, runId],
      }));
    },
    chooseRuns: (runIds) => store.setState({ chosenRunIds: [...runIds] }),
  };
}
