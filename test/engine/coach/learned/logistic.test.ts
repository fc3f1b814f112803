import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitLogistic, predict, sigmoid } from '../../../../src/engine/coach/learned/logistic.ts';

describe('fitLogistic', () => {
  test('finds the optimum: the penalised gradient is zero there', () => {
    const unit = fc.double({ min: -5, max: 5, noNaN: true });
    const row = fc.tuple(unit, unit, fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 3, maxLength: 30 }), (data) => {
        const rows = data.map(([a, b]) => [a, b]);
        const labels = data.map(([, , label]) => label);
        const ridge = 0.7;
        const { bias, weights, means, scales } = fitLogistic(rows, labels, ridge);
        const inputs = rows.map((each) => each.map((x, j) => (x - (means[j] ?? 0)) / (scales[j] ?? 1)));
        const errors = inputs.map(
          (input, i) =>
            sigmoid(bias + input.reduce((s, x, j) => s + x * (weights[j] ?? 0), 0)) - (labels[i] ?? 0),
        );
        for (const [j, weight] of weights.entries()) {
          const gradient = inputs.reduce(
            (s, input, i) => s + (errors[i] ?? 0) * (input[j] ?? 0),
            ridge * weight,
          );
          expect(Math.abs(gradient)).toBeLessThan(1e-6);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('a column that never changed says nothing of another value, though its mean is rounded', () => {
    const rows = Array.from({ length: 10 }, (_, i) => [0.1, i]);
    const fitted = fitLogistic(
      rows,
      rows.map((_, i) => (i < 5 ? 0 : 1)),
      1,
    );
    expect(predict(fitted, [1000, 4.5])).toBeCloseTo(predict(fitted, [0.1, 4.5]), 9);
  });

  test('gives the share of the labels where nothing tells them apart, and finite weights where all is told apart', () => {
    const same = fitLogistic([[1], [1], [1], [1]], [1, 0, 0, 0], 1);
    expect(predict(same, [1])).toBeCloseTo(0.25, 6);
    const apart = fitLogistic([[-1], [1]], [0, 1], 1);
    expect(predict(apart, [1])).toBeGreaterThan(0.6);
    expect(predict(apart, [-1])).toBeCloseTo(1 - predict(apart, [1]), 9);
    const all = fitLogistic([[0], [1]], [1, 1], 1);
    expect(predict(all, [0])).toBeGreaterThan(0.99);
  });
});
