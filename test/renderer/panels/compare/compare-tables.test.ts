import { describe, expect, test } from 'vitest';
import {
  environmentChoices,
  firstPair,
  summaryTable,
} from '../../../../src/renderer/panels/compare/compare-tables.ts';
import { makeRun } from '../../support/fixtures.ts';

const comparison = {
  runs: [makeRun({ runId: 'a', arm: 'fixed' }), makeRun({ runId: 'b', arm: 'coached' })],
  configuration: [],
  environments: [
    { runId: 'a', round: 0, text: 'x', identity: '1' },
    { runId: 'b', round: 0, text: 'x', identity: '1' },
    { runId: 'b', round: 1, text: 'y', identity: '2' },
    { runId: 'b', round: 2, text: 'x', identity: '1' },
  ],
  summaries: [
    { runId: 'b', key: 'eval/objective', last: 2, min: 2, max: 3 },
    { runId: 'a', key: 'eval/objective', last: 1, min: 1, max: 1 },
    { runId: 'a', key: 'losses/policy_loss', last: 0, min: 0, max: 0 },
  ],
};

describe('summaryTable', () => {
  test('has a column per run and leaves a cell empty where a run lacks the metric', () => {
    const { rows } = summaryTable(comparison);
    expect(rows[0]?.cells.map((cell) => cell?.last)).toEqual([1, 2]);
    expect(rows[1]?.cells).toEqual([
      { runId: 'a', key: 'losses/policy_loss', last: 0, min: 0, max: 0 },
      null,
    ]);
  });
});

describe('firstPair', () => {
  test('sets the first environment against the last one that differs', () => {
    const pair = firstPair(environmentChoices(comparison));
    expect(pair?.map((choice) => choice.id)).toEqual(['a/0', 'b/1']);
  });

  test('is null without environments, and the same twice when nothing differs', () => {
    expect(firstPair([])).toBeNull();
    const [only] = environmentChoices(comparison);
    expect(only && firstPair([only])).toEqual([only, only]);
  });
});
