import { describe, expect, test } from 'vitest';
import { dashesOf } from '../../../src/renderer/charts/overlap.ts';
import { styleRuns } from '../../../src/renderer/charts/run-style.ts';
import type { SeriesColumns } from '../../../src/renderer/charts/series-columns.ts';
import { makeRun } from '../support/fixtures.ts';

const styles = styleRuns(
  ['fixed', 'random', 'coached'].map((arm) => makeRun({ runId: arm, arm, totalSteps: 480_000 })),
);

function columns(...values: number[]): SeriesColumns {
  return { steps: values.map((_, index) => index * 100), values, low: values, high: values };
}

describe('dashesOf', () => {
  test('curves that begin as an earlier one does get ever wider gaps; others stay solid', () => {
    const series = new Map([
      ['fixed', columns(-20, -18)],
      ['random', columns(-20, -19)],
      ['coached', columns(-20, -17)],
    ]);
    const [first, second, third] = dashesOf(styles, (runId) => series.get(runId) ?? null);
    expect(first).toEqual([]);
    expect(second?.[1]).toBeGreaterThan(0);
    expect(third?.[1]).toBeGreaterThan(second?.[1] ?? 0);
    series.set('coached', columns(-21, -17));
    expect(dashesOf(styles, (runId) => series.get(runId) ?? null)[2]).toEqual([]);
  });

  test('keeps the dashes that tell seeds apart', () => {
    const seeds = styleRuns(
      ['fixed', 'coached'].flatMap((arm) =>
        [1, 2].map((seed) => makeRun({ runId: `${arm}${seed}`, arm, seed })),
      ),
    );
    const dashes = dashesOf(seeds, (runId) => columns(runId.endsWith('1') ? -1 : -2));
    expect(new Set(dashes.map((dash) => dash.join())).size).toBe(4);
  });

  test('curves without points lie on nothing', () => {
    expect(dashesOf(styles, () => null)).toEqual([[], [], []]);
    expect(dashesOf(styles, () => columns())).toEqual([[], [], []]);
  });
});
