import { describe, expect, test } from 'vitest';
import { emitOnnx } from '../../../../src/engine/learn/graph/emit.ts';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import { createSession, wrap } from '../../../../src/engine/learn/graph/session.ts';
import { prepare } from '../../../support/run-graph.ts';

describe('Graph', () => {
  test('builds equal nodes once', () => {
    const g = new Graph();
    const x = g.input('x', [2, 3]);
    expect(g.exp(x)).toBe(g.exp(x));
    expect(g.sum(x, [0])).not.toBe(g.sum(x, [1]));
  });

  test('folds neutral elements, constants, double negation and chained factors', () => {
    const g = new Graph();
    const x = g.input('x', [2, 3]);
    const scalar = (value: number) => g.scalar(value);
    expect(g.add(x, scalar(0))).toBe(x);
    expect(g.sub(x, scalar(0))).toBe(x);
    expect(g.mul(g.fill(1, [2, 3]), x)).toBe(x);
    expect(g.div(x, scalar(1))).toBe(x);
    expect(g.neg(g.neg(x))).toBe(x);
    expect(g.mul(scalar(-1), x)).toBe(g.neg(x));
    expect(g.add(scalar(2), scalar(3))).toBe(scalar(5));
    expect(g.scale(g.scale(x, 2), 3)).toBe(g.scale(x, 6));
    expect(g.mul(g.broadcastTo(g.input('row', [1, 3]), [2, 3]), x).node.inputs[0]?.shape).toEqual([1, 3]);
  });

  test('does not fold a neutral element that stretches the shape', () => {
    const g = new Graph();
    const x = g.input('x', [1, 3]);
    expect(g.add(x, g.fill(0, [2, 3])).shape).toEqual([2, 3]);
  });

  test.each([
    ['shapes that do not broadcast', (g: Graph) => g.add(g.input('a', [2]), g.input('b', [3]))],
    [
      'products of unlike inner dimensions',
      (g: Graph) => g.matmul(g.input('a', [2, 3]), g.input('b', [2, 3])),
    ],
    ['a reshape to another size', (g: Graph) => g.reshape(g.input('a', [2, 3]), [5])],
    ['a split that does not add up', (g: Graph) => g.split(g.input('a', [5]), [2, 2], 0)],
    ['a second input of one name', (g: Graph) => [g.input('a', [1]), g.input('a', [1])]],
    [
      'a bias that is wider than the product',
      (g: Graph) => g.linear(g.input('a', [2, 3]), g.input('b', [3, 4]), g.input('c', [1, 5])),
    ],
  ])('refuses %s while building', (_, build) => {
    expect(() => build(new Graph())).toThrow(RangeError);
  });
});

describe('emitOnnx', () => {
  test('leaves out what no output needs, inputs included', async () => {
    const g = new Graph();
    const [x, unused] = [g.input('x', [2]), g.input('unused', [2])];
    g.exp(unused);
    const session = await createSession(emitOnnx(g, { y: g.neg(x) }, { name: 'test' }));
    expect(session.inputNames).toEqual(['x']);
  });

  test('writes inputs and constants that are outputs themselves', async () => {
    const g = new Graph();
    const x = g.input('x', [2], 'f64');
    const run = await prepare(g, {
      same: x,
      three: g.fill(3, [2], 'f64'),
      again: g.neg(x),
      negative: g.neg(x),
    });
    expect(await run({ x: [1, -2] })).toEqual({
      same: [1, -2],
      three: [3, 3],
      again: [-1, 2],
      negative: [-1, 2],
    });
  });

  test('writes a symbolic batch dimension that takes any number of rows', async () => {
    const g = new Graph();
    const y = g.tanh(g.matmul(g.input('x', [2, 3]), g.constant([1, 0, 0, 1, 1, 1], [3, 2])));
    const session = await createSession(emitOnnx(g, { y }, { name: 'test', dynamicBatch: true }));
    for (const rows of [1, 5]) {
      const { y: out } = await session.run({ x: wrap(new Float32Array(rows * 3), [rows, 3]) });
      expect(out?.dims).toEqual([rows, 2]);
    }
  });

  test('refuses an output named like an input', () => {
    const g = new Graph();
    const x = g.input('x', [2]);
    expect(() => emitOnnx(g, { x: g.neg(x) }, { name: 'test' })).toThrow(/an input and an output/);
  });

  test('gives equal bytes for equal graphs', () => {
    const build = (): Uint8Array => {
      const g = new Graph();
      return emitOnnx(g, { y: g.exp(g.input('x', [2])) }, { name: 'test', metadata: { key: 'value' } });
    };
    expect(build()).toEqual(build());
  });
});
