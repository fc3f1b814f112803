import { describe, expect, test } from 'vitest';
import { stateEntropies } from '../../../../src/engine/runs/report/state-entropy.ts';

const states = (rows: readonly (readonly number[])[]) => ({
  states: Float32Array.from(rows.flat()),
  stateDim: rows[0]?.length ?? 0,
});

describe('stateEntropies', () => {
  test('is nothing where one place is visited, and four bits where all sixteen are alike', () => {
    const spread = Array.from({ length: 32 }, (_, i) => [i % 16]);
    const [still, wide] = stateEntropies([states([[3], [3], [3]]), states(spread)]);
    expect(still).toBe(0);
    expect(wide).toBeCloseTo(4, 12);
  });

  test('measures in the bins of all that is compared, so that a narrower stretch has less', () => {
    const narrow = Array.from({ length: 16 }, (_, i) => [i % 4]);
    const wide = Array.from({ length: 16 }, (_, i) => [i]);
    // Alone, four values fill four bins; beside 0 … 15 they still do, and nobody gains from being alone.
    expect(stateEntropies([states(narrow), states(wide)])[0]).toBeCloseTo(2, 12);
    const [a, b] = stateEntropies([states([[0], [0.1], [0.2], [0.3]]), states([[0], [16]])]);
    expect(a).toBe(0);
    expect(b).toBeCloseTo(1, 12);
  });

  test('takes the mean over features that vary anywhere', () => {
    const [only] = stateEntropies([
      states([
        [0, 5, 0],
        [1, 5, 0],
        [0, 5, 1],
        [1, 5, 0],
      ]),
    ]);
    const skewed = -(0.75 * Math.log2(0.75) + 0.25 * Math.log2(0.25));
    expect(only).toBeCloseTo((1 + skewed) / 2, 12);
  });

  test('has no figure without states, and none to spare where nothing varies', () => {
    expect(stateEntropies([])).toEqual([]);
    expect(stateEntropies([{ states: new Float32Array(0), stateDim: 0 }, states([[1], [1]])])).toEqual([
      null,
      0,
    ]);
  });
});
