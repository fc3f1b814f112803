import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../store/index.ts';

/** A store of its own with one run in it, gone when it is closed: for questions that belong to no study. */
export interface ScratchRun {
  readonly store: Store;
  readonly studyId: string;
  readonly runId: string;
  close(): void;
}

export function openScratchRun(seed: number): ScratchRun {
  const folder = mkdtempSync(join(tmpdir(), 'gymwright-'));
  const store = openStore(folder);
  const studyId = 'scratch';
  const runId = 'scratch-run';
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
    state: 'running',
    ownSteps: 0,
    chargedSteps: 0,
    round: 0,
    stepsPerSecond: null,
    objective: null,
    bestObjective: null,
    parameterHash: null,
    error: null,
    loop: null,
  });
  return {
    store,
    studyId,
    runId,
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
