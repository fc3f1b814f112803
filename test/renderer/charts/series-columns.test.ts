import { describe, expect, test } from 'vitest';
import { createLiveSeries } from '../../../src/renderer/charts/series-columns.ts';
import type { SeriesView } from '../../../src/shared/contract/runs.ts';

function view(steps: number[], values: number[]): SeriesView {
  const column = Float64Array.from(values);
  return {
    runId: 'r',
    key: 'k',
    numPoints: steps.length,
    steps: Float64Array.from(steps),
    values: column,
    low: column,
    high: column,
  };
}

describe('createLiveSeries', () => {
  test('keeps points that arrived while the overview was being fetched', () => {
    const series = createLiveSeries();
    series.append(100, 1);
    series.append(300, 3);
    series.adopt(view([100, 200], [1, 2]));
    expect(Array.from(series.columns().steps)).toEqual([100, 200, 300]);
    expect(Array.from(series.columns().values)).toEqual([1, 2, 3]);
  });

  test('cuts back to a resumed run, which logs earlier steps again', () => {
    const series = createLiveSeries();
    for (const step of [100, 200, 300]) series.append(step, step);
    series.append(200, -1);
    expect(Array.from(series.columns().steps)).toEqual([100, 200]);
    expect(Array.from(series.columns().values)).toEqual([100, -1]);
  });

  test('counts what was appended since the last fetch', () => {
    const series = createLiveSeries();
    series.append(1, 1);
    series.adopt(view([1], [1]));
    expect(series.numAppended).toBe(0);
    series.append(2, 2);
    expect(series.numAppended).toBe(1);
  });
});
