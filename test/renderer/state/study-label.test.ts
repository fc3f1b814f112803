import { describe, expect, test } from 'vitest';
import { runLabels } from '../../../src/renderer/state/run-labels.ts';
import { formatStart, studyLabel } from '../../../src/renderer/state/study-label.ts';
import { makeRun, makeStudy } from '../support/fixtures.ts';

const start = new Date(2026, 4, 6, 9, 30).getTime();
const dayMs = 86_400_000;

describe('studyLabel', () => {
  test('two studies of one file started in the same minute differ', () => {
    const labels = ['my-study-0011aabb', 'my-study-0022aabb'].map((studyId) =>
      studyLabel(makeStudy({ studyId, name: 'my-study', createdAt: start }), start),
    );
    expect(labels[0]).toMatch(/^my-study · 0011 · /);
    expect(labels[1]).toMatch(/^my-study · 0022 · /);
  });

  test('says the day once it is another one', () => {
    expect(formatStart(start, start + 60_000)).not.toContain('May');
    expect(formatStart(start, start + dayMs)).toContain('May 6');
  });
});

describe('runLabels', () => {
  test('name the study only where runs of several stand together', () => {
    const own = makeRun({ runId: 'a', studyId: 'quickstart-1a2b3c4d' });
    const other = makeRun({ runId: 'b', studyId: 'quickstart-9f8e7d6c' });
    expect([...runLabels([own]).values()]).toEqual(['coached · seed 1']);
    expect([...runLabels([own, other]).values()]).toEqual([
      'coached · seed 1 · 1a2b',
      'coached · seed 1 · 9f8e',
    ]);
  });
});
