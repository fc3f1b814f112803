import { describe, expect, test } from 'vitest';
import { gradients } from '../../../../src/engine/learn/graph/autodiff.ts';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import type { Tensor } from '../../../../src/engine/learn/graph/node.ts';
import { hypernetMixer, sumMixer } from '../../../../src/engine/learn/nn/mixer.ts';
import { ParameterLayout } from '../../../../src/engine/learn/nn/parameters.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';
import { prepare } from '../../../support/run-graph.ts';

const batch = 40;

function createMixer(hypernetEmbed: number) {
  const shape = { numAgents: 3, stateDim: 4, mixingEmbed: 5, hypernetEmbed };
  const mixer = hypernetMixer(shape);
  const layout = new ParameterLayout(mixer.parameters);
  const rng = new CounterRng(9n, hypernetEmbed);
  const normals = (count: number): number[] => Array.from({ length: count }, () => rng.nextNormal());
  const feeds = {
    // Normal instead of the usual start, so that signs of all kinds occur.
    parameters: normals(layout.size),
    q: normals(3 * batch),
    state: normals(5 * batch).map((value, i) => (i % 5 === 4 ? 1 : value)),
  };
  const g = new Graph();
  const q = g.input('q', [3, batch], 'f64');
  const parameters = layout.unpack(g, g.input('parameters', [1, layout.size], 'f64'));
  const total = mixer.apply(g, parameters, q, g.input('state', [batch, 5], 'f64'));
  return { shape, layout, feeds, g, q, total };
}

type Feeds = ReturnType<typeof createMixer>['feeds'];

/** The mixer written out for one column. */
function mixOne({ shape, layout, feeds }: ReturnType<typeof createMixer>, column: number): number {
  const { numAgents, stateDim, mixingEmbed: m, hypernetEmbed: k } = shape;
  const flat = Float32Array.from(feeds.parameters);
  const block = (name: string): Float32Array => layout.block(flat, `mixer.${name}`);
  const state = feeds.state.slice(column * (stateDim + 1), (column + 1) * (stateDim + 1));
  const width = block('state.weight').length / (stateDim + 1);
  const linear = Array.from({ length: width }, (_, j) =>
    state.reduce((sum, s, i) => sum + s * (block('state.weight')[i * width + j] as number), 0),
  );
  const relu = (values: readonly number[]): number[] => values.map((value) => Math.max(value, 0));
  const layer = (name: string, inputs: readonly number[]): number[] =>
    Array.from(block(`${name}.bias`), (bias, j) =>
      inputs.reduce(
        (sum, x, i) => sum + x * (block(`${name}.weight`)[j * inputs.length + i] as number),
        bias,
      ),
    );
  const [n1, n2] = k === 0 ? [numAgents * m, m] : [k, k];
  const raw1 = linear.slice(0, n1);
  const raw2 = linear.slice(n1, n1 + n2);
  const w1 = (k === 0 ? raw1 : layer('w1', relu(raw1))).map(Math.abs);
  const w2 = (k === 0 ? raw2 : layer('w2', relu(raw2))).map(Math.abs);
  const value = layer('v', relu(linear.slice(n1 + n2, n1 + n2 + m)))[0] as number;
  const bias = linear.slice(n1 + n2 + m);
  const hidden = bias.map((b, j) => {
    let x = b;
    for (let a = 0; a < numAgents; a++)
      x += (w1[a * m + j] as number) * (feeds.q[a * batch + column] as number);
    return x > 0 ? x : Math.exp(x) - 1;
  });
  return hidden.reduce((sum, h, j) => sum + h * (w2[j] as number), value);
}

describe.each([6, 0])('hypernetMixer with generators of %i hidden units', (hypernetEmbed) => {
  test('computes |W2| elu(|W1| q + b) + V of its state', async () => {
    const mixer = createMixer(hypernetEmbed);
    const { total } = await (await prepare(mixer.g, { total: mixer.total }))(mixer.feeds);
    for (let column = 0; column < batch; column++) {
      expect(total?.[column], `column ${column}`).toBeCloseTo(mixOne(mixer, column), 4);
    }
  });

  test('never falls when an agent is worth more, whatever parameters and state', async () => {
    const { g, q, total, feeds } = createMixer(hypernetEmbed);
    const [slope] = gradients(g, g.sumAll(total), [q]) as [Tensor];
    const run = await prepare(g, { slope });
    const slopes = (await run(feeds as Feeds)).slope as number[];
    expect(slopes.filter((value) => value < 0)).toEqual([]);
    expect(slopes.filter((value) => value > 0).length).toBeGreaterThan(batch);
  });
});

describe('sumMixer', () => {
  test('adds what the agents are worth', async () => {
    const g = new Graph();
    const total = sumMixer.apply(g, new Map(), g.input('q', [3, 2], 'f64'), null);
    expect((await (await prepare(g, { total }))({ q: [1, 10, 2, 20, 3, 30] })).total).toEqual([6, 60]);
  });
});
