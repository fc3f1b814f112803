import { describe, expect, test } from 'vitest';
import { styleRuns } from '../../../src/renderer/charts/run-style.ts';
import { makeRun } from '../support/fixtures.ts';

describe('styleRuns', () => {
  test('tells arms apart by colour and seeds of an arm by dash', () => {
    const styles = styleRuns([
      makeRun({ runId: 'a1', arm: 'fixed', seed: 1 }),
      makeRun({ runId: 'a2', arm: 'fixed', seed: 2 }),
      makeRun({ runId: 'b1', arm: 'coached', seed: 1 }),
    ]);
    expect(styles.map((style) => style.colorIndex)).toEqual([1, 1, 2]);
    expect(styles[0]?.dash).toEqual([]);
    expect(styles[1]?.dash).not.toEqual([]);
    expect(styles[2]?.dash).toEqual([]);
  });

  test('gives runs of a single arm a colour each', () => {
    const styles = styleRuns([1, 2, 3].map((seed) => makeRun({ runId: `r${seed}`, seed })));
    expect(styles.map((style) => style.colorIndex)).toEqual([1, 2, 3]);
  });

  test('the same arm of two studies has two colours', () => {
    const styles = styleRuns([makeRun({ studyId: 's1' }), makeRun({ studyId: 's2' })]);
    expect(new Set(styles.map((style) => style.colorIndex)).size).toBe(2);
  });
});
