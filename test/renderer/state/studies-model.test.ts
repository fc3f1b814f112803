import { describe, expect, test } from 'vitest';
import {
  createStudiesModel,
  runsById,
  withRun,
  withStudy,
} from '../../../src/renderer/state/studies-model.ts';
import { createFakeClient } from '../support/fake-client.ts';
import { makeRun, makeStudy } from '../support/fixtures.ts';

describe('withStudy and withRun', () => {
  test('replace by id and put new studies first', () => {
    const older = makeStudy({ studyId: 'a' });
    const newer = makeStudy({ studyId: 'b' });
    expect(withStudy([older], newer).map((study) => study.studyId)).toEqual(['b', 'a']);
    expect(withStudy([older], makeStudy({ studyId: 'a', state: 'paused' }))).toMatchObject([
      { state: 'paused' },
    ]);
  });

  test('a run its study does not list yet is added', () => {
    const studies = withRun([makeStudy({ runs: [] })], makeRun({ runId: 'new' }));
    expect([...runsById(studies).keys()]).toEqual(['new']);
  });

  test('a run of an unknown study changes nothing', () => {
    const studies = [makeStudy({ studyId: 'a' })];
    expect(withRun(studies, makeRun({ studyId: 'z' }))).toEqual(studies);
  });
});

describe('createStudiesModel', () => {
  test('a started study becomes the active one and its runs are chosen', async () => {
    const study = makeStudy({ studyId: 's', runs: [makeRun({ runId: 'r1' }), makeRun({ runId: 'r2' })] });
    const { client } = createFakeClient({ runs: { start: async () => study } });
    const model = createStudiesModel(client);
    await model.start({ experimentPath: 'experiments/quickstart.yaml' });
    expect(model.store.getState()).toMatchObject({ activeStudyId: 's', chosenRunIds: ['r1', 'r2'] });
  });

  test('runs that appear after the start are chosen while none are', async () => {
    const { client, emit } = createFakeClient({
      runs: { start: async () => makeStudy({ studyId: 's', runs: [] }) },
    });
    const model = createStudiesModel(client);
    await model.start({ experimentPath: 'x.yaml' });
    emit('study.changed', makeStudy({ studyId: 's', runs: [makeRun({ runId: 'r1' })] }));
    expect(model.store.getState().chosenRunIds).toEqual(['r1']);
    emit(
      'study.changed',
      makeStudy({ studyId: 's', runs: [makeRun({ runId: 'r1' }), makeRun({ runId: 'r2' })] }),
    );
    expect(model.store.getState().chosenRunIds).toEqual(['r1']);
  });

  test('resuming names the study and its experiment', async () => {
    const study = makeStudy({ studyId: 's', state: 'stopped', experimentPath: 'e.yaml' });
    const { client, calls } = createFakeClient({
      runs: { list: async () => [study], start: async () => study },
    });
    const model = createStudiesModel(client);
    await model.load();
    await model.resume('s');
    expect(calls.at(-1)).toEqual({ call: 'runs.start', args: { experimentPath: 'e.yaml', resume: 's' } });
  });

  test('a list that cannot be read is a failed state with the error', async () => {
    const model = createStudiesModel(createFakeClient({}).client);
    await model.load();
    expect(model.store.getState().studies).toMatchObject({
      status: 'failed',
      error: { code: 'rpc.unknownCall' },
    });
  });
});
