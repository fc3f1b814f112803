import { describe, expect, test } from 'vitest';
import { stairFeeds } from '../../../../src/engine/learn/algos/value/batch-shape.ts';
import { gradients } from '../../../../src/engine/learn/graph/autodiff.ts';
import { Graph, opRules } from '../../../../src/engine/learn/graph/graph.ts';
import type { Tensor } from '../../../../src/engine/learn/graph/node.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';
import { type GraphRunner, prepare } from '../../../support/run-graph.ts';

/** Central differences of step 1e-6 in f64 are right to about 1e-9 relative to values of order 1. */
const step = 1e-6;
const tolerance = 1e-7;

interface Case {
  readonly name: string;
  /** Kind in `opRules` that the case exercises. */
  readonly kind: string;
  readonly shapes: readonly (readonly number[])[];
  readonly build: (g: Graph, inputs: readonly Tensor[]) => Tensor | readonly Tensor[];
  /** Brings standard normal draws into the op's domain. */
  readonly domain?: (value: number) => number;
}

const positive = (value: number): number => 0.5 + Math.abs(value);
const awayFromZero = (value: number): number => value + Math.sign(value) * 0.1;

const at = (inputs: readonly Tensor[], index: number): Tensor => inputs[index] as Tensor;

function unary(kind: string, domain?: (value: number) => number): Case {
  return {
    name: kind,
    kind,
    shapes: [[3, 4]],
    build: (g, x) => g.apply(kind, x),
    ...(domain && { domain }),
  };
}

function binary(kind: string, a: readonly number[], b: readonly number[]): Case {
  return {
    name: `${kind} of [${a}] and [${b}]`,
    kind,
    shapes: [a, b],
    build: (g, x) => g.apply(kind, x),
    ...(kind === 'div' && { domain: awayFromZero }),
  };
}

const broadcasts: [number[], number[]][] = [
  [
    [3, 4],
    [3, 4],
  ],
  [[3, 4], [4]],
  [
    [3, 1],
    [3, 4],
  ],
  [
    [2, 3, 4],
    [3, 1],
  ],
  [[], [3, 4]],
];

const products = [false, true].flatMap((transA) => [false, true].map((transB) => ({ transA, transB })));

const cases: Case[] = [
  ...['add', 'sub', 'mul', 'div', 'min', 'max'].flatMap((kind) =>
    broadcasts.map(([a, b]) => binary(kind, a, b)),
  ),
  ...['neg', 'square', 'timesExp', 'exp', 'tanh', 'sigmoid'].map((kind) => unary(kind)),
  unary('log', positive),
  unary('sqrt', positive),
  unary('relu', awayFromZero),
  unary('abs', awayFromZero),
  unary('elu', awayFromZero),
  ...products.map(
    (flags): Case => ({
      name: `matmul ${JSON.stringify(flags)}`,
      kind: 'matmul',
      shapes: [flags.transA ? [4, 3] : [3, 4], flags.transB ? [5, 4] : [4, 5]],
      build: (g, x) => g.matmul(at(x, 0), at(x, 1), flags),
    }),
  ),
  {
    name: 'linear',
    kind: 'matmul',
    shapes: [
      [3, 4],
      [4, 5],
      [1, 5],
    ],
    build: (g, x) => g.linear(at(x, 0), at(x, 1), at(x, 2)),
  },
  {
    name: 'linear with a column bias and both factors transposed',
    kind: 'matmul',
    shapes: [
      [4, 3],
      [5, 4],
      [3, 1],
    ],
    build: (g, x) => g.linear(at(x, 0), at(x, 1), at(x, 2), { transA: true, transB: true }),
  },
  {
    name: 'addScaled',
    kind: 'addScaled',
    shapes: [
      [1, 6],
      [1, 6],
      [1, 1],
    ],
    build: (g, x) => g.addScaled(at(x, 0), 0.9, at(x, 1), at(x, 2)),
  },
  ...[[0], [1], [0, 2]].map(
    (axes): Case => ({
      name: `sum over ${axes}`,
      kind: 'sum',
      shapes: [[2, 3, 4]],
      build: (g, x) => g.sum(at(x, 0), axes),
    }),
  ),
  ...[0, 1].map(
    (axis): Case => ({
      name: `logSoftmax along ${axis}`,
      kind: 'logSoftmax',
      shapes: [[3, 5]],
      build: (g, x) => g.logSoftmax(at(x, 0), axis),
    }),
  ),
  { name: 'reshape', kind: 'reshape', shapes: [[3, 4]], build: (g, x) => g.reshape(at(x, 0), [2, 6]) },
  {
    name: 'broadcastTo',
    kind: 'broadcastTo',
    shapes: [[3, 1]],
    build: (g, x) => g.broadcastTo(at(x, 0), [2, 3, 4]),
  },
  {
    name: 'transpose of three dimensions',
    kind: 'transpose',
    shapes: [[2, 3, 4]],
    build: (g, x) => g.transpose(at(x, 0), [2, 0, 1]),
  },
  {
    name: 'concat along 1',
    kind: 'concat',
    shapes: [
      [3, 2],
      [3, 4],
      [3, 1],
    ],
    build: (g, x) => g.concat(x, 1),
  },
  {
    name: 'split with all pieces used',
    kind: 'split',
    shapes: [[7]],
    build: (g, x) => g.split(at(x, 0), [2, 4, 1], 0),
  },
  ...[false, true].map(
    (restarts): Case => ({
      name: `gru over three steps${restarts ? ' that starts anew within' : ''}`,
      kind: 'gru',
      shapes: [
        [4, 9],
        [2, 9],
        [2, 3],
        [6, 2],
        [2, 1],
      ],
      build: (g, x) => {
        const keep = g.constant([1, 1, 0, 0, 1, 1, 1, 0, 1], [1, 9], 'f64');
        const [gates, candidates, h0, u, bias] = x as [Tensor, Tensor, Tensor, Tensor, Tensor];
        return g.gru({ gates, candidates, u, bias }, { numSteps: 3, h0, ...(restarts && { keep }) });
      },
    }),
  ),
  {
    name: 'gru whose steps have fewer and fewer columns, none at last',
    kind: 'gru',
    shapes: [
      [4, 9],
      [2, 9],
      [6, 2],
      [2, 1],
    ],
    build: (g, x) => {
      const [gates, candidates, u, bias] = x as [Tensor, Tensor, Tensor, Tensor];
      const { widths, spans } = stairFeeds({ widths: [4, 2, 2, 1], numMoments: 6 });
      const steps = {
        numSteps: 6,
        widths: g.constant(widths, [6], 'i32'),
        spans: g.constant(spans, [11], 'i32'),
      };
      return g.gru({ gates, candidates, u, bias }, steps);
    },
  },
  {
    name: 'split with an unused piece',
    kind: 'split',
    shapes: [[3, 7]],
    build: (g, x) => at(g.split(at(x, 0), [2, 4, 1], 1), 1),
  },
];

const withoutGradient = [
  // The derivative of gru, whose own nobody needs; and what targets alone use.
  'gruBack',
  'gather',
  'input',
  'constant',
  'less',
  'greater',
  'positive',
  'stopGradient',
  'oneHot',
  'argMax',
];

describe('opRules', () => {
  test('are all covered by a gradient case or declared without gradient', () => {
    const covered = new Set([...cases.map((c) => c.kind), ...withoutGradient]);
    expect(Object.keys(opRules).filter((kind) => !covered.has(kind))).toEqual([]);
  });

  test.each(cases)('$name agrees with central differences', async ({ shapes, build, domain }) => {
    await compare(shapes, (g, x) => weightedSum(g, [build(g, x)].flat()), domain);
  });

  test('comparisons and stopGradient pass no gradient', async () => {
    const g = new Graph();
    const x = g.input('x', [4], 'f64');
    const flags = g.add(g.less(x, g.scalar(0.5, 'f64')), g.greater(x, g.scalar(-0.5, 'f64')));
    const loss = g.sumAll(g.mul(g.stopGradient(x), g.add(flags, x)));
    const [dx] = gradients(g, loss, [x]) as [Tensor];
    const run = await prepare(g, { dx });
    // loss = sum stop(x) (flags + x): only the last x counts.
    expect((await run({ x: [-1, 0, 0.25, 2] })).dx).toEqual([-1, 0, 0.25, 2]);
  });

  test.each(['f32', 'f64'] as const)('positive marks what is above 0, in %s', async (type) => {
    const g = new Graph();
    const marks = g.apply('positive', [g.input('x', [6], type)]);
    const run = await prepare(g, { marks });
    expect((await run({ x: [-3, -1e-30, 0, 1e-30, 1, 1e30] })).marks).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test('argMax names the largest of each column, the lowest index among equals', async () => {
    const g = new Graph();
    const index = g.argMax(g.input('x', [3, 2], 'f64'), 0);
    const run = await prepare(g, { index });
    expect((await run({ x: [1, 5, 7, 5, 7, 2] })).index).toEqual([1, 0]);
  });

  test('gather takes the columns that are named, and refuses a gradient', async () => {
    const g = new Graph();
    const x = g.input('x', [2, 3], 'f64');
    const columns = g.gather(x, g.input('index', [4], 'i32'));
    const run = await prepare(g, { columns });
    const result = await run({ x: [1, 2, 3, 4, 5, 6], index: [2, 0, 0, 1] });
    expect(result.columns).toEqual([3, 1, 1, 2, 6, 4, 4, 5]);
    expect(() => gradients(g, g.sumAll(columns), [x])).toThrow(/no gradient flows/);
  });

  test('oneHot marks the index in each column', async () => {
    const g = new Graph();
    const columns = g.oneHot(g.input('index', [1, 3], 'i32'), 4, 'f64');
    const run = await prepare(g, { columns });
    expect((await run({ index: [2, 0, 3] })).columns).toEqual([0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });
});

describe('gradients', () => {
  test('add up where a value is used several times', async () => {
    await compare([[3]], (g, x) => g.sumAll(g.mul(g.mul(at(x, 0), at(x, 0)), g.exp(at(x, 0)))));
  });

  test('are zero for what the loss does not depend on', async () => {
    const g = new Graph();
    const [x, y] = [g.input('x', [2], 'f64'), g.input('y', [3], 'f64')];
    const [dy] = gradients(g, g.sumAll(x), [y]) as [Tensor];
    expect((await (await prepare(g, { dy }))({})).dy).toEqual([0, 0, 0]);
  });

  test('refuse a loss that is not a scalar', () => {
    const g = new Graph();
    const x = g.input('x', [2]);
    expect(() => gradients(g, x, [x])).toThrow(/scalar is needed/);
  });
});

/** A scalar that weighs every element differently, so that no two errors cancel. */
function weightedSum(g: Graph, tensors: readonly Tensor[]): Tensor {
  return tensors
    .map((x, k) => {
      const size = x.shape.reduce((a, b) => a * b, 1);
      const weights = Array.from({ length: size }, (_, i) => Math.sin(1 + i + 7 * k));
      return g.sumAll(g.mul(x, g.constant(weights, x.shape, 'f64')));
    })
    .reduce((sum, x) => g.add(sum, x));
}

async function compare(
  shapes: readonly (readonly number[])[],
  buildLoss: (g: Graph, inputs: readonly Tensor[]) => Tensor,
  domain: (value: number) => number = (value) => value,
): Promise<void> {
  const g = new Graph();
  const inputs = shapes.map((shape, i) => g.input(`x${i}`, shape, 'f64'));
  const loss = buildLoss(g, inputs);
  const derivatives = gradients(g, loss, inputs);
  const run = await prepare(g, { loss, ...Object.fromEntries(derivatives.map((d, i) => [`d${i}`, d])) });
  const rng = new CounterRng(11n, 0);
  const feeds = Object.fromEntries(
    inputs.map((x, i) => [
      `x${i}`,
      Array.from({ length: x.shape.reduce((a, b) => a * b, 1) }, () => domain(rng.nextNormal())),
    ]),
  );
  const exact = await run(feeds);
  for (const [i] of inputs.entries()) {
    for (const element of (feeds[`x${i}`] as number[]).keys()) {
      const slope = await difference(run, feeds, `x${i}`, element);
      expect(exact[`d${i}`]?.[element], `d loss / d x${i}[${element}]`).toBeCloseTo(
        slope,
        -Math.log10(tolerance),
      );
    }
  }
}

async function difference(
  run: GraphRunner,
  feeds: Readonly<Record<string, number[]>>,
  name: string,
  element: number,
): Promise<number> {
  const values = feeds[name] as number[];
  const at = async (offset: number): Promise<number> => {
    const moved = values.with(element, (values[element] as number) + offset);
    return (await run({ ...feeds, [name]: moved })).loss?.[0] as number;
  };
  return ((await at(step)) - (await at(-step))) / (2 * step);
}
