import { describe, expect, test } from 'vitest';
import { studyRows } from '../../../../src/renderer/panels/studies/study-tree.ts';
import { makeRun, makeStudy } from '../../support/fixtures.ts';

const study = makeStudy({
  runs: [
    makeRun({ runId: 'a', step: 100, totalSteps: 400 }),
    makeRun({ runId: 'b', step: 800, totalSteps: 400 }),
  ],
});

describe('studyRows', () => {
  test('a study advances by the mean of its runs, none of them beyond its budget', () => {
    expect(studyRows([study], new Set(), new Set()).map((row) => row.fraction)).toEqual([0.625, 0.25, 1]);
  });

  test('marks chosen runs and hides those of a collapsed study', () => {
    expect(studyRows([study], new Set(), new Set(['b'])).map((row) => row.isChosen)).toEqual([
      false,
      false,
      true,
    ]);
    expect(studyRows([study], new Set(['study-1']), new Set())).toHaveLength(1);
  });

  test('a run says in which stage of its curriculum it is', () => {
    const staged = makeRun({ stage: { name: 'easy', index: 0, count: 3, round: 0, sinceStep: 0 } });
    const rows = studyRows([makeStudy({ runs: [staged, makeRun()] })], new Set(), new Set());
    expect(rows.map(({ detail }) => detail).slice(1)).toEqual(['easy 1/3', '']);
  });

  test('a run without a budget yet has come nowhere', () => {
    const rows = studyRows([makeStudy({ runs: [makeRun({ totalSteps: 0 })] })], new Set(), new Set());
    expect(rows[1]?.fraction).toBe(0);
  });
});
