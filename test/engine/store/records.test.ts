import { describe, expect, test } from 'vitest';
import { thrownBy } from '../../support/error-code.ts';
import { openTestStore, runRecord, storeWithRun, studyRecord } from '../../support/store-records.ts';

describe('texts', () => {
  test('are kept once by SHA-256', () => {
    const store = openTestStore();
    const hash = store.texts.put('déjà vu\n');
    expect(hash).toBe('1a5c1f51e3c90032b981fd19174fcccdf8ff764f47bfcea31e594557a7eebb60');
    expect(store.texts.put('déjà vu\n')).toBe(hash);
    expect(store.texts.get(hash)).toBe('déjà vu\n');
    expect(thrownBy(() => store.texts.get('00')).code).toBe('store.notFound');
  });
});

describe('studies', () => {
  test('come back as they were put in, newest first', () => {
    const store = openTestStore();
    const first = studyRecord(store);
    const second = studyRecord(store, {
      studyId: 's2',
      createdAt: 2000,
      configuration: { nested: [1, { a: null }] },
    });
    store.studies.insert(first);
    store.studies.insert(second);
    expect(store.studies.list()).toEqual([second, first]);
    store.studies.setState('s1', 'finished', 3000);
    expect(store.studies.get('s1')).toEqual({ ...first, state: 'finished', finishedAt: 3000 });
  });

  test('the same id twice is store.constraint, an unknown one store.notFound', () => {
    const store = storeWithRun();
    expect(thrownBy(() => store.studies.insert(studyRecord(store))).code).toBe('store.constraint');
    expect(thrownBy(() => store.studies.get('s9')).code).toBe('store.notFound');
    expect(thrownBy(() => store.studies.setState('s9', 'failed', null)).code).toBe('store.notFound');
  });
});

describe('runs', () => {
  test('a patch changes what it names and nothing else', () => {
    const store = storeWithRun();
    const patch = { ownSteps: 10, error: { code: 'run.failed', message: 'why' }, loop: { pending: ['p1'] } };
    store.runs.update('r1', patch);
    expect(store.runs.get('r1')).toEqual({ ...runRecord(), ...patch });
  });

  test('the same arm and seed twice in a study is store.constraint', () => {
    const store = storeWithRun();
    expect(thrownBy(() => store.runs.insert(runRecord({ runId: 'r2' }))).code).toBe('store.constraint');
    store.runs.insert(runRecord({ runId: 'r2', seed: 2 }));
    store.runs.insert(runRecord({ runId: 'r3', parentRunId: 'r1' }));
    expect(store.runs.listByStudy('s1').map(({ runId }) => runId)).toEqual(['r1', 'r2', 'r3']);
  });

  test('are found by state over all studies', () => {
    const store = storeWithRun();
    store.runs.insert(runRecord({ runId: 'r2', seed: 2, state: 'finished' }));
    expect(store.runs.listByState(['running', 'paused']).map(({ runId }) => runId)).toEqual(['r1']);
  });
});

describe('policies', () => {
  test('a second export of a round and group replaces the first', () => {
    const store = storeWithRun();
    const policy = {
      policyId: 'x1',
      runId: 'r1',
      round: 0,
      group: 'agent',
      file: 'a.onnx',
      sha256: 'a',
      parameterHash: 'h',
      createdAt: 1,
    };
    store.policies.insert(policy);
    store.policies.insert({ ...policy, policyId: 'x2', file: 'b.onnx' });
    store.policies.insert({ ...policy, policyId: 'x3', round: 1, createdAt: 2 });
    expect(store.policies.list('r1').map(({ policyId }) => policyId)).toEqual(['x3', 'x2']);
    expect(store.policies.list('other')).toEqual([]);
    expect(thrownBy(() => store.policies.get('x1')).code).toBe('store.notFound');
  });
});
