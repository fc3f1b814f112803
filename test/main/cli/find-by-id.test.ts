import { describe, expect, test } from 'vitest';
import { findRuns, findStudy } from '../../../src/main/cli/find-by-id.ts';
import { thrownBy } from '../../support/error-code.ts';
import { makeRun, makeStudy } from '../../support/views.ts';

const studies = [
  makeStudy({ studyId: 'aa11', runs: [makeRun({ runId: 'r1' }), makeRun({ runId: 'r2' })] }),
  makeStudy({ studyId: 'aa22', runs: [makeRun({ runId: 'q3' })] }),
];

describe('findStudy', () => {
  test('takes the start of an id', () => expect(findStudy(studies, 'aa1').studyId).toBe('aa11'));
  test('refuses a start that two ids share', () =>
    expect(thrownBy(() => findStudy(studies, 'aa')).code).toBe('store.notFound'));
  test('refuses an empty id, also where one study is all there is', () =>
    expect(thrownBy(() => findStudy(studies.slice(0, 1), '')).code).toBe('input.invalid'));
  test('refuses an id that is not there', () =>
    expect(thrownBy(() => findStudy(studies, 'zz')).code).toBe('store.notFound'));
});

describe('findRuns', () => {
  test('takes runs and studies, each run once', () => {
    expect(findRuns(studies, ['aa11', 'r1', 'q3']).map(({ runId }) => runId)).toEqual(['r1', 'r2', 'q3']);
  });

  test('refuses an empty id', () =>
    expect(thrownBy(() => findRuns(studies.slice(0, 1), [''])).code).toBe('input.invalid'));

  test('refuses an unknown id', () =>
    expect(thrownBy(() => findRuns(studies, ['zz'])).code).toBe('store.notFound'));
});
