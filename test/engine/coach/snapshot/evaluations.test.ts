import { describe, expect, test } from 'vitest';
import { readEvaluations } from '../../../../src/engine/coach/snapshot/evaluations.ts';
import type { RunSeries } from '../../../../src/engine/coach/types.ts';

type Points = readonly (readonly [step: number, value: number])[];

function seriesOf(points: Readonly<Record<string, Points>>): RunSeries {
  return {
    keys: () => Object.keys(points),
    history: (key) => ({
      steps: (points[key] ?? []).map(([step]) => step),
      values: (points[key] ?? []).map(([, value]) => value),
    }),
  };
}

const objective: Points = [
  [0, 1],
  [100, 1],
  [200, 1],
];

describe('readEvaluations', () => {
  test('values of one evaluation stay together where a metric has none at times', () => {
    const read = readEvaluations(
      seriesOf({
        'eval/objective': objective,
        'eval/metric/kills': [
          [0, 7],
          [200, 9],
        ],
        'eval/metric/deaths': [
          [0, 1],
          [100, 2],
          [200, 3],
        ],
      }),
    );
    expect(read.map((metrics) => [metrics('kills'), metrics('deaths')])).toEqual([
      [7, 1],
      [undefined, 2],
      [9, 3],
    ]);
  });

  test('what only training measures is its mean since the evaluation before', () => {
    const read = readEvaluations(
      seriesOf({
        'eval/objective': objective,
        'charts/metric/spread': [
          [20, 1],
          [60, 3],
          [100, 5],
          [120, 8],
          [900, 50],
        ],
      }),
    );
    expect(read.map((metrics) => metrics('spread'))).toEqual([undefined, 3, 8]);
  });

  test('a single agent has its own figures, and none where it was not measured', () => {
    const read = readEvaluations(
      seriesOf({
        'eval/objective': [[5, 1]],
        'eval/metric/kills': [[5, 2]],
        'eval/metric/kills/red_0': [[5, 4]],
      }),
    );
    expect([read[0]?.('kills'), read[0]?.('kills', 'red_0'), read[0]?.('kills', 'red_1')]).toEqual([
      2,
      4,
      undefined,
    ]);
  });

  test('without an objective the metrics say when evaluations were; without both there are none', () => {
    const read = readEvaluations(seriesOf({ 'charts/metric/a': [[7, 1]], 'charts/metric/b': [[9, 2]] }));
    expect(read.map((metrics) => [metrics('a'), metrics('b')])).toEqual([
      [1, undefined],
      [undefined, 2],
    ]);
    expect(readEvaluations(seriesOf({}))).toEqual([]);
  });
});
