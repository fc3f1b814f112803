import { expect, onTestFinished, test } from 'vitest';
import { createSupervisor } from '../../../src/engine/runs/index.ts';
import { openStore, type Store } from '../../../src/engine/store/index.ts';
import type { RunView, StudyView } from '../../../src/shared/contract/runs.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { ToyCoach } from '../../support/toy/toy-coach.ts';
import { toyEdl } from '../../support/toy/toy-edl.ts';
import { toyLearners } from '../../support/toy/toy-learner.ts';
import {
  openToyEngine,
  studyFigures,
  toyExperiment,
  toyTrainerPath,
  writeToyWorkspace,
} from '../../support/toy/toy-workspace.ts';

/** The store of a disk that may be full: while `isFull()` nothing of runs, studies and series can be written. */
function onDisk(store: Store, isFull: () => boolean): Store {
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, key) {
        const member: unknown = Reflect.get(object, key);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          if (isFull() && /^(update|setState|append|begin|insert)/.test(String(key)))
            throw new AppError('workspace.diskFull', 'the disk is full');
          return member.apply(object, args);
        };
      },
    });
  const { runs, studies, series, rounds, checkpoints } = store;
  return {
    ...store,
    runs: guard(runs),
    studies: guard(studies),
    series: guard(series),
    rounds: guard(rounds),
    checkpoints: guard(checkpoints),
  };
}

test('a study on a disk that fills up ends for everybody who waits, and goes on to the same figures later', {
  timeout: 120_000,
}, async () => {
  const experiment = toyExperiment({ seeds: [1], arms: [{ name: 'coached' }] });
  const undisturbed = openToyEngine(writeToyWorkspace(experiment));
  onTestFinished(() => undisturbed.remove());
  const expected = await undisturbed.supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  await undisturbed.supervisor.whenSettled(expected.studyId);

  const root = writeToyWorkspace(experiment);
  const store = openStore(root);
  const told: { event: string; payload: unknown }[] = [];
  let isFull = false;
  const supervisor = createSupervisor({
    root,
    store: onDisk(store, () => isFull),
    emit: (event, payload) => {
      told.push({ event, payload });
      if (event === 'metrics.appended') isFull = true;
    },
    edl: toyEdl,
    coach: new ToyCoach(),
    learners: toyLearners,
    trainerPath: toyTrainerPath,
  });
  const { studyId } = await supervisor.start({ experimentPath: 'experiments/toy.yaml' });
  const error = { code: 'workspace.diskFull', message: 'the disk is full' };
  expect(await supervisor.whenSettled(studyId)).toMatchObject({
    state: 'failed',
    runs: [{ state: 'failed', error }],
  });
  expect(supervisor.list()[0]).toMatchObject({ state: 'failed' });
  expect(store.studies.get(studyId).state).toBe('running');
  const last = (event: string) => told.findLast((each) => each.event === event)?.payload;
  expect(last('run.changed') as RunView).toMatchObject({ state: 'failed', error });
  expect(last('study.changed') as StudyView).toMatchObject({ state: 'failed' });
  expect((await supervisor.stop(studyId)).state).toBe('failed');
  await supervisor.close();
  store.close();

  const later = openToyEngine(root);
  onTestFinished(() => later.remove());
  await later.supervisor.resume(studyId);
  expect((await later.supervisor.whenSettled(studyId)).state).toBe('finished');
  expect(studyFigures(later.store, studyId)).toEqual(studyFigures(undisturbed.store, expected.studyId));
});
