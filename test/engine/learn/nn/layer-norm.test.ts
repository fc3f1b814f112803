import { describe, expect, test } from 'vitest';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import { applyLayerNorm, type FeatureAxis } from '../../../../src/engine/learn/nn/layer-norm.ts';
import { prepare } from '../../../support/run-graph.ts';

async function normalise(axis: FeatureAxis, x: number[], gain: number[], shift: number[]): Promise<number[]> {
  const g = new Graph();
  const isRow = axis === 'row';
  const parameters = new Map([
    ['n.gain', g.input('gain', isRow ? [1, 2] : [2, 1], 'f64')],
    ['n.shift', g.input('shift', isRow ? [1, 2] : [2, 1], 'f64')],
  ]);
  const y = applyLayerNorm(g, 'n', parameters, g.input('x', isRow ? [3, 2] : [2, 3], 'f64'), axis);
  return (await (await prepare(g, { y }))({ x, gain, shift })).y as number[];
}

describe('applyLayerNorm', () => {
  // Two features: the larger becomes 1, the smaller -1 (less for a spread near ε's root); equal ones 0.
  test('brings the features of each row to mean 0 and deviation 1', async () => {
    const result = await normalise('row', [5, 1, -2, 8, 3, 3], [1, 1], [0, 0]);
    expect(result).toEqual([1, -1, -1, 1, 0, 0].map((x) => expect.closeTo(x, 5)));
  });

  test('does so in columns, then scales and shifts each feature', async () => {
    const result = await normalise('column', [5, -2, 3, 1, 8, 3], [2, 3], [10, 20]);
    expect(result).toEqual([12, 8, 10, 17, 23, 20].map((x) => expect.closeTo(x, 4)));
  });
});
