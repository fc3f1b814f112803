import { describe, expect, test } from 'vitest';
import { findRuns, findStudy } from '../../../src/main/cli/find-by-id.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { makeRun, makeStudy } from '../../support/views.ts';

const studies = [
  makeStudy({ studyId: 'aa11', runs: [makeRun({ runId: 'r1' }), makeRun({ runId: 'r2' })] }),
  makeStudy({ studyId: 'aa22', runs: [makeRun({ runId: 'q3' })] }),
];

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    return AppError.from(thrown).code;
  }
  return 'nothing thrown';
}

describe('findStudy', () => {
  test('takes the start of an id', () => expect(findStudy(studies, 'aa1').studyId).toBe('aa11'));
  test('refuses a start that two ids share', () =>
    expect(codeOf(() => findStudy(studies, 'aa'))).toBe('store.notFound'));
  test('refuses an id that is not there', () =>
    expect(codeOf(() => findStudy(studies, 'zz'))).toBe('store.notFound'));
});

describe('findRuns', () => {
  test('takes runs and studies, each run once', () => {
    expect(findRuns(studies, ['aa11', 'r1', 'q3']).map(({ runId }) => runId)).toEqual(['r1', 'r2', 'q3']);
  });

  test('refuses an unknown id', () => expect(codeOf(() => findRuns(studies, ['zz']))).toBe('store.notFound'));
});
