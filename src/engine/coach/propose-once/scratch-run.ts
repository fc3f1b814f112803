import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store, unbegun } from '../../store/index.ts';

/** A store of its own, gone when it is closed: for questions that belong to no study. */
export interface ScratchStore {
  readonly store: Store;
  readonly studyId: string;
  /** Another run, which knows nothing of the others. Returns its id. */
  addRun(seed: number): string;
  close(): void;
}

/** One with a run in it. */
export interface ScratchRun extends Omit<ScratchStore, 'addRun'> {
  readonly runId: string;
}

export function openScratchRun(seed: number): ScratchRun {
  const { addRun, ...scratch } = openScratchStore();
  return { ...scratch, runId: addRun(seed) };
}

export function openScratchStore(): ScratchStore {
  const folder = mkdtempSync(join(tmpdir(), 'gymwright-'));
  const store = openStore(folder);
  const studyId = 'scratch';
  let numRuns = 0;
  store.studies.insert({
    studyId,
    name: 'scratch',
    experimentPath: '',
    experimentHash: store.texts.put(''),
    configuration: null,
    objective: { metric: 'episode_return', group: '', better: 'higher' },
    state: 'running',
    createdAt: 0,
    finishedAt: null,
  });
  return {
    store,
    studyId,
    addRun(seed) {
      const runId = `scratch-run-${++numRuns}`;
      store.runs.insert({
        runId,
        studyId,
        parentRunId: null,
        arm: 'scratch',
        seed,
        totalSteps: 0,
        numRounds: 2,
        configuration: null,
        createdAt: 0,
        ...unbegun,
        state: 'running',
      });
      return runId;
    },
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
