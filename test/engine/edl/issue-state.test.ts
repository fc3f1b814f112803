import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceIssue, issueAfter, quietIssue } from '../../../src/engine/edl/issue-state.ts';
import type { IssueSpec, MetricReader } from '../../../src/engine/edl/types.ts';

/** An issue over one metric: holds above 2, and with `end` is over below it. */
function issueOver(forEvaluations: number, end: number | null): IssueSpec {
  const value = (metrics: MetricReader) => metrics('x') ?? Number.NaN;
  return {
    name: 'i',
    doc: '',
    condition: 'x > 2',
    until: end === null ? null : `x < ${end}`,
    forEvaluations,
    subjects: null,
    metrics: ['x'],
    evaluate: (metrics) => value(metrics) > 2,
    isOver: (metrics) => (end === null ? !(value(metrics) > 2) : value(metrics) < end),
  };
}

/** Whether the issue is open after each of the evaluations. */
function openings(issue: IssueSpec, values: readonly number[]): boolean[] {
  let state = quietIssue;
  return values.map((value) => {
    state = advanceIssue(issue, state, () => value);
    return state.isOpen;
  });
}

const [no, yes] = [false, true];

describe('advanceIssue', () => {
  test('opens after as many evaluations in a row as it says', () => {
    expect(openings(issueOver(3, null), [3, 3, 3, 3])).toEqual([no, no, yes, yes]);
    expect(openings(issueOver(3, null), [3, 3, 1, 3, 3, 3])).toEqual([no, no, no, no, no, yes]);
    expect(openings(issueOver(1, null), [3])).toEqual([yes]);
  });

  test('without an end closes as soon as its condition fails', () => {
    expect(openings(issueOver(2, null), [3, 3, 1, 3, 3])).toEqual([no, yes, no, no, yes]);
  });

  test('with an end stays open while that does not hold, whatever the condition', () => {
    expect(openings(issueOver(2, 1), [3, 3, 1.5, 1.5, 0.5, 1.5])).toEqual([no, yes, yes, yes, no, no]);
  });

  test('after its end it needs its evaluations again', () => {
    expect(openings(issueOver(2, 1), [3, 3, 0, 3, 3])).toEqual([no, yes, no, no, yes]);
  });

  test('a missing value never opens it and never meets its end', () => {
    expect(openings(issueOver(1, 1), [Number.NaN, 3, Number.NaN, 0])).toEqual([no, yes, yes, no]);
    expect(openings(issueOver(1, null), [3, Number.NaN])).toEqual([yes, no]);
  });

  test('an end that holds together with the condition wins', () => {
    expect(openings(issueOver(1, 9), [3, 3])).toEqual([no, no]);
  });
});

describe('issueAfter', () => {
  test('depends on the history alone, and its last evaluation extends the state before it (seed 5)', () => {
    const history = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 });
    const end = fc.option(fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(history, end, fc.integer({ min: 1, max: 4 }), (values, end, times) => {
        const issue = issueOver(times, end);
        const readers = values.map(
          (value): MetricReader =>
            () =>
              value,
        );
        const whole = issueAfter(issue, readers);
        expect(issueAfter(issue, readers)).toEqual(whole);
        expect(whole.isOpen).toBe(openings(issue, values).at(-1) ?? false);
        if (end === null) {
          const row = values.length - 1 - values.findLastIndex((value) => value <= 2);
          expect(whole).toEqual({ isOpen: row >= times, streak: row });
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
