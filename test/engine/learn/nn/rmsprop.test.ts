import { expect, test } from 'vitest';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import { rmspropScalars, rmspropStep } from '../../../../src/engine/learn/nn/rmsprop.ts';
import { prepare } from '../../../support/run-graph.ts';

test('rmspropStep clips by the global norm, then divides by the root of the running mean square', async () => {
  const g = new Graph();
  const row = (name: string) => g.input(name, [1, 2], 'f64');
  const state = { parameters: row('p'), secondMoment: row('v') };
  const after = rmspropStep(g, state, row('gradient'), row('scalars'), 1);
  const { parameters, secondMoment, gradientNorm } = after;
  const run = await prepare(g, { parameters, secondMoment, gradientNorm });
  const result = await run({ p: [1, 2], v: [0.1, 0.2], gradient: [3, 4], scalars: rmspropScalars(0.01) });
  // Norm 5, so the gradient becomes (0.6, 0.8).
  const squares = [0.99 * 0.1 + 0.01 * 0.36, 0.99 * 0.2 + 0.01 * 0.64];
  expect(result.gradientNorm).toEqual([5]);
  expect(result.secondMoment).toEqual(squares.map((v) => expect.closeTo(v, 6)));
  expect(result.parameters).toEqual([
    expect.closeTo(1 - (0.01 * 0.6) / (Math.sqrt(squares[0] as number) + 1e-5), 6),
    expect.closeTo(2 - (0.01 * 0.8) / (Math.sqrt(squares[1] as number) + 1e-5), 6),
  ]);
});
