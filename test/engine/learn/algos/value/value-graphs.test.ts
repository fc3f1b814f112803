import { describe, expect, test } from 'vitest';
import { stairFeeds } from '../../../../../src/engine/learn/algos/value/batch-shape.ts';
import {
  lossGraph,
  trainGraph,
  valueStatistics,
} from '../../../../../src/engine/learn/algos/value/value-graphs.ts';
import {
  type ValueNetwork,
  valueNetwork,
} from '../../../../../src/engine/learn/algos/value/value-network.ts';
import { createSession, wrap } from '../../../../../src/engine/learn/graph/session.ts';
import { adamScalars } from '../../../../../src/engine/learn/nn/adam.ts';
import { hypernetMixer, sumMixer } from '../../../../../src/engine/learn/nn/mixer.ts';
import { qmixDefaults } from '../../../../../src/engine/learn/presets/value-presets.ts';
import type { ValueConfig } from '../../../../../src/shared/rl/learner.ts';
import { CounterRng } from '../../../../../src/shared/std/rng.ts';
import { prepare } from '../../../../support/run-graph.ts';
import { TinyEnv } from '../../../../support/tiny-game.ts';
import { mortalGame } from '../../../../support/tiny-games.ts';

/** Two episodes, of three steps and of two, in the graph for up to four moments and in one for more. */
const numMoments = 4;
const shape = { widths: [2, 2, 2, 1], numMoments };
const moments = 7;

function createNetwork(settings: Partial<ValueConfig>): { net: ValueNetwork; config: ValueConfig } {
  const config: ValueConfig = { ...qmixDefaults, hidden: 3, mixingEmbed: 2, hypernetEmbed: 2, ...settings };
  const net = valueNetwork(new TinyEnv(mortalGame, 2), config, ({ numAgents, stateDim }) =>
    config.algorithm === 'vdn'
      ? sumMixer
      : hypernetMixer({ numAgents, stateDim, mixingEmbed: 2, hypernetEmbed: 2 }),
  );
  return { net, config };
}

/** Two groups (one scout, two guards); moments t·2 + b, and at last that of the first episode alone. */
function createFeeds(net: ValueNetwork): Record<string, number[]> {
  const rng = new CounterRng(4n, 0);
  const normals = (count: number): number[] => Array.from({ length: count }, () => rng.nextNormal());
  const withBias = (width: number, rows: number): number[] =>
    normals((width + 1) * rows).map((value, i) => (i % (width + 1) === width ? 1 : value));
  const { widths, spans } = stairFeeds(shape);
  const feeds: Record<string, number[]> = {
    parameters: normals(net.layout.size).map((value) => value / 2),
    target: normals(net.layout.size).map((value) => value / 2),
    widths: [...widths],
    spans: [...spans],
    following: [2, 3, 4, 5, 6, 5, 6],
    state: withBias(2, moments),
    rewards: [...normals(5), 0, 0],
    // The first episode is cut off after its third step, the second terminates at its second.
    discounts: [0.9, 0.9, 0.9, 0, 0.9, 0, 0],
    carry: [0.6, 0.6, 0.6, 0, 0, 0, 0],
    weights: [0.2, 0.2, 0.2, 0.2, 0.2, 0, 0],
  };
  for (const {
    name,
    view,
    net: { inputs, numActions },
  } of net.groups) {
    const rows = moments * view.numAgents;
    feeds[`${name}/obs`] = withBias(inputs, rows);
    feeds[`${name}/logitBias`] = Array.from({ length: numActions * rows }, (_, i) => (i < 5 ? -1e9 : 0));
    feeds[`${name}/actions`] = Array.from({ length: rows }, (_, i) => (i % (numActions - 1)) + 1);
    feeds[`${name}/active`] = Array.from({ length: rows }, (_, i) => Number(i % 5 !== 4));
  }
  return feeds;
}

const variants: [string, Partial<ValueConfig>][] = [
  ['QMIX', {}],
  ['QMIX with λ-returns, dropping who is inactive', { tdLambda: 0.6, dropInactive: true }],
  ['QMIX without double Q', { doubleQ: false }],
  ['VDN without memory', { algorithm: 'vdn', recurrent: false, stateNorm: false }],
];

describe('lossGraph', () => {
  test.each(variants)('of %s has the gradient that central differences give', async (_, settings) => {
    const { net, config } = createNetwork(settings);
    const { g, loss, gradient } = lossGraph(net, numMoments, config, 'f64');
    const run = await prepare(g, { loss: loss.loss, gradient });
    const feeds = createFeeds(net);
    const exact = (await run(feeds)).gradient as number[];
    const parameters = feeds.parameters as number[];
    const lossAt = async (element: number, offset: number): Promise<number> => {
      const moved = parameters.with(element, (parameters[element] as number) + offset);
      return (await run({ ...feeds, parameters: moved })).loss?.[0] as number;
    };
    for (const element of parameters.keys()) {
      const slope = ((await lossAt(element, 1e-6)) - (await lossAt(element, -1e-6))) / 2e-6;
      expect(exact[element], `d loss / d parameters[${element}]`).toBeCloseTo(slope, 6);
    }
  });

  test.each(variants)('of %s is the same in a graph for more moments', async (_, settings) => {
    const { net, config } = createNetwork(settings);
    const feeds = createFeeds(net);
    const results: number[][] = [];
    for (const most of [numMoments, numMoments + 3]) {
      const { g, loss, gradient } = lossGraph(net, most, config, 'f64');
      const run = await prepare(g, { loss: loss.loss, statistics: loss.statistics, gradient });
      const { widths, spans } = stairFeeds({ ...shape, numMoments: most });
      const result = await run({ ...feeds, widths: [...widths], spans: [...spans] });
      results.push([...(result.loss ?? []), ...(result.statistics ?? []), ...(result.gradient ?? [])]);
    }
    expect(results[1]).toEqual(results[0]?.map((value) => expect.closeTo(value, 10)));
  });

  test('of two episodes is the mean of what each gives by itself, step by step', async () => {
    const { net, config } = createNetwork({ tdLambda: 0.6 });
    const { g, loss, gradient } = lossGraph(net, numMoments, config, 'f64');
    const run = await prepare(g, { loss: loss.loss, gradient });
    const both = createFeeds(net);
    const whole = await run(both);
    const parts = [
      await run(episodeOf(net, both, [0, 2, 4, 6])),
      await run(episodeOf(net, both, [1, 3, 5])),
    ] as const;
    const mean = (a: number | undefined, b: number | undefined): number => (3 * (a ?? 0) + 2 * (b ?? 0)) / 5;
    expect(whole.loss?.[0]).toBeCloseTo(mean(parts[0].loss?.[0], parts[1].loss?.[0]), 10);
    for (const [i, value] of (whole.gradient as number[]).entries()) {
      expect(value).toBeCloseTo(mean(parts[0].gradient?.[i], parts[1].gradient?.[i]), 10);
    }
  });

  test('never values an illegal action, however high its Q', async () => {
    for (const doubleQ of [true, false]) {
      const { net, config } = createNetwork({ algorithm: 'vdn', stateNorm: false, doubleQ });
      const { g, targets } = lossGraph(net, numMoments, config, 'f64');
      const run = await prepare(g, { targets });
      const feeds = createFeeds(net);
      // Action 1 of the scout is worth 50 more in both networks; where it is illegal, that must not show.
      const head = 'scout.head.bias';
      const raise = (values: readonly number[]): number[] => {
        const flat = Float32Array.from(values);
        const block = net.layout.block(flat, head);
        block[1] = (block[1] as number) + 50;
        return [...flat];
      };
      const raised = {
        ...feeds,
        parameters: raise(feeds.parameters as number[]),
        target: raise(feeds.target as number[]),
        discounts: Array(moments).fill(1),
        rewards: Array(moments).fill(0),
      };
      const allowed = (await run({ ...raised, 'scout/logitBias': Array(2 * moments).fill(0) }))
        .targets as number[];
      const forbidden = (
        await run({ ...raised, 'scout/logitBias': [...Array(moments).fill(0), ...Array(moments).fill(-1e9)] })
      ).targets as number[];
      for (const [i, value] of forbidden.entries()) {
        expect(Math.abs(value)).toBeLessThan(20);
        expect((allowed[i] as number) - value).toBeGreaterThan(30);
      }
    }
  });

  test('with double Q the online network chooses and the target network values', async () => {
    const { net, config } = createNetwork({ algorithm: 'vdn', stateNorm: false, recurrent: false });
    const { g, targets } = lossGraph(net, numMoments, config, 'f64');
    const run = await prepare(g, { targets });
    const feeds = { ...createFeeds(net), rewards: Array(moments).fill(0), discounts: Array(moments).fill(1) };
    const legal = Object.fromEntries(
      net.groups.map(({ name }) => [
        `${name}/logitBias`,
        (feeds as Record<string, number[]>)[`${name}/logitBias`]?.map(() => 0),
      ]),
    ) as Record<string, number[]>;
    const biased = (which: number): number[] => {
      const flat = new Float32Array(net.layout.size);
      for (const { name } of net.groups) net.layout.block(flat, `${name}.head.bias`)[which] = 1;
      return [...flat];
    };
    // Online prefers action 0 everywhere, the target values action 1 alone: 0 for three agents, not 3.
    const values = (await run({ ...feeds, ...legal, parameters: biased(0), target: biased(1) })).targets;
    expect(values).toEqual(Array(moments).fill(0));
    const agreed = (await run({ ...feeds, ...legal, parameters: biased(1), target: biased(1) })).targets;
    expect(agreed).toEqual(Array(moments).fill(3));
  });
});

describe('trainGraph', () => {
  test('takes the Adam step of the clipped gradient and reports its norm', async () => {
    const { net, config } = createNetwork({ maxGradNorm: 0.1 });
    const feeds = createFeeds(net);
    const { g, loss, gradient } = lossGraph(net, numMoments, config, 'f64');
    const exact = await (await prepare(g, { gradient, loss: loss.loss }))(feeds);
    const norm = Math.hypot(...(exact.gradient as number[]));
    const session = await createSession(trainGraph(net, numMoments, config));
    const size = net.layout.size;
    const inputs = session.inputNames.map((name) => {
      const values = name === 'scalars' ? adamScalars(0.01, 1) : (feeds[name] ?? Array(size).fill(0));
      const isInteger = name.endsWith('/actions') || ['widths', 'spans', 'following'].includes(name);
      const data = isInteger ? Int32Array.from(values) : Float32Array.from(values);
      return [name, wrap(data, shapeOf(name, data.length, net))] as const;
    });
    const results = await session.run(Object.fromEntries(inputs));
    const statistics = results.statistics?.data as Float32Array;
    expect(statistics[valueStatistics.indexOf('grad_norm')]).toBeCloseTo(norm, 3);
    expect(statistics[valueStatistics.indexOf('td_loss')]).toBeCloseTo(exact.loss?.[0] as number, 3);
    const newParameters = results.newParameters?.data as Float32Array;
    for (const [i, value] of newParameters.entries()) {
      const clipped = ((exact.gradient?.[i] as number) * 0.1) / norm;
      const step = Math.abs(clipped) < 1e-12 ? 0 : (-0.01 * clipped) / (Math.abs(clipped) + 1e-5);
      expect(value).toBeCloseTo((feeds.parameters?.[i] as number) + step, 3);
    }
    await session.release();
  });
});

function shapeOf(name: string, length: number, net: ValueNetwork): number[] {
  const [groupName, kind] = name.split('/');
  const group = net.groups.find((candidate) => candidate.name === groupName);
  if (group && kind === 'obs') return [length / (group.net.inputs + 1), group.net.inputs + 1];
  if (group && kind === 'logitBias') return [group.net.numActions, length / group.net.numActions];
  if (name === 'state') return [moments, 3];
  return ['widths', 'spans', 'following'].includes(name) ? [length] : [1, length];
}

/** The feeds of one episode by itself: those of its moments. */
function episodeOf(
  net: ValueNetwork,
  feeds: Readonly<Record<string, number[]>>,
  columns: readonly number[],
): Record<string, number[]> {
  const take = (values: readonly number[], height: number, width: number): number[] =>
    Array.from({ length: height }, (_, k) =>
      columns.flatMap((m) => values.slice((k * moments + m) * width, (k * moments + m + 1) * width)),
    ).flat();
  const length = columns.length - 1;
  const { widths, spans } = stairFeeds({ widths: Array(length + 1).fill(1), numMoments });
  const rows = Object.fromEntries(
    ['rewards', 'discounts', 'carry'].map((name) => [name, take(feeds[name] ?? [], 1, 1)]),
  );
  const groups = net.groups.flatMap(({ name, view: { numAgents }, net: { inputs, numActions } }) => [
    [`${name}/obs`, take(feeds[`${name}/obs`] ?? [], 1, numAgents * (inputs + 1))],
    [`${name}/logitBias`, take(feeds[`${name}/logitBias`] ?? [], numActions, numAgents)],
    [`${name}/actions`, take(feeds[`${name}/actions`] ?? [], 1, numAgents)],
  ]);
  return {
    ...feeds,
    ...rows,
    ...Object.fromEntries(groups),
    state: take(feeds.state ?? [], 1, 3),
    weights: columns.map((_, t) => (t < length ? 1 / length : 0)),
    following: columns.map((_, t) => Math.min(t + 1, length)),
    widths: [...widths],
    spans: [...spans],
  };
}
