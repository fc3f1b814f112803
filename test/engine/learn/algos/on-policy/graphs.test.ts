import { describe, expect, test } from 'vitest';
import { criticRow } from '../../../../../src/engine/learn/algos/on-policy/act-session.ts';
import {
  type BatchShape,
  batchShape,
  lossGraph,
  rowsOf,
  stepStatistics,
  trainGraph,
} from '../../../../../src/engine/learn/algos/on-policy/graphs.ts';
import {
  type ActorCritic,
  actorCritic,
  type NetworkConfig,
  valuesPerCopy,
} from '../../../../../src/engine/learn/algos/on-policy/networks.ts';
import { Minibatches } from '../../../../../src/engine/learn/data/minibatches.ts';
import { RolloutBuffer } from '../../../../../src/engine/learn/data/rollout-buffer.ts';
import { createSession, wrap } from '../../../../../src/engine/learn/graph/session.ts';
import { adamScalars } from '../../../../../src/engine/learn/nn/adam.ts';
import { CounterRng } from '../../../../../src/shared/std/rng.ts';
import { prepare } from '../../../../support/run-graph.ts';

const plain: NetworkConfig = {
  hidden: 5,
  activation: 'tanh',
  layerNorm: false,
  critic: 'observation',
  recurrent: false,
};
const sizes = { obsDim: 4, numActions: 3, numAgents: 2, stateDim: 3 };
const net = actorCritic(sizes, plain);
const rows = 6;
const shape = batchShape(net, rows, 1);
const coefficients = { clipCoef: 0.2, entCoef: 0.01, vfCoef: 0.5, clipVloss: false, huberDelta: null };

function createFeeds() {
  const rng = new CounterRng(3n, 0);
  const normals = (count: number): number[] => Array.from({ length: count }, () => rng.nextNormal());
  return {
    parameters: normals(net.layout.size),
    obs: normals(rows * 5).map((value, i) => (i % 5 === 4 ? 1 : value)),
    // The second row may not take action 0.
    logitBias: Array.from({ length: rows * 3 }, (_, i) => (i === 1 ? -1e9 : 0)),
    actions: [0, 1, 2, 2, 1, 0],
    logProbs: [-1, -0.5, -2, -0.1, -3, -1],
    advantages: normals(rows),
    returns: normals(rows),
    // The last row is padding.
    weights: [0.2, 0.2, 0.2, 0.2, 0.2, 0],
    policyWeights: [0.2, 0.2, 0.2, 0.2, 0.2, 0],
  };
}

describe('lossGraph', () => {
  test('has the gradient that central differences give', async () => {
    const { g, loss, gradient } = lossGraph(net, shape, coefficients, 'f64');
    const run = await prepare(g, { loss: loss.loss, gradient });
    const feeds = createFeeds();
    const exact = (await run(feeds)).gradient as number[];
    const lossAt = async (element: number, offset: number): Promise<number> => {
      const moved = feeds.parameters.with(element, (feeds.parameters[element] as number) + offset);
      return (await run({ ...feeds, parameters: moved })).loss?.[0] as number;
    };
    for (const element of feeds.parameters.keys()) {
      const slope = ((await lossAt(element, 1e-6)) - (await lossAt(element, -1e-6))) / 2e-6;
      expect(exact[element], `d loss / d parameters[${element}]`).toBeCloseTo(slope, 7);
    }
  });

  test('gives the same loss, statistics and gradient in slices', async () => {
    const results: Record<string, number[]>[] = [];
    for (const sliceRows of [6, 3, 2]) {
      const { g, loss, gradient } = lossGraph(net, batchShape(net, rows, 1, sliceRows), coefficients, 'f64');
      const run = await prepare(g, { loss: loss.loss, statistics: loss.statistics, gradient });
      results.push(await run(createFeeds()));
    }
    for (const name of ['loss', 'statistics', 'gradient']) {
      const whole = results[0]?.[name]?.map((value) => expect.closeTo(value, 12));
      expect(results[1]?.[name], name).toEqual(whole);
      expect(results[2]?.[name], name).toEqual(whole);
    }
  });

  test('equals the textbook formulas, with padded rows left out', async () => {
    const { g, loss } = lossGraph(net, shape, coefficients, 'f64');
    const feeds = createFeeds();
    const { loss: total, statistics } = await (
      await prepare(g, { loss: loss.loss, statistics: loss.statistics })
    )(feeds);
    const expected = referenceStatistics(feeds);
    expect(statistics).toEqual(expected.map((value) => expect.closeTo(value, 10)));
    const [policyLoss, valueLoss, entropy] = expected as [number, number, number];
    expect(total?.[0]).toBeCloseTo(policyLoss + 0.5 * valueLoss - 0.01 * entropy, 10);
  });

  test('does not see what stands in a padded row', async () => {
    const { g, loss, gradient } = lossGraph(net, shape, coefficients, 'f64');
    const run = await prepare(g, { loss: loss.loss, gradient });
    const feeds = createFeeds();
    const other = {
      ...feeds,
      advantages: feeds.advantages.with(5, 100),
      returns: feeds.returns.with(5, -50),
    };
    expect(await run(other)).toEqual(await run(feeds));
  });
});

/** Networks of every kind with batches of two steps (if they remember), two agents and three units. */
const kinds: [
  string,
  NetworkConfig,
  typeof coefficients | (Omit<typeof coefficients, 'huberDelta'> & { huberDelta: number }),
][] = [
  ['relu', { ...plain, activation: 'relu' }, coefficients],
  ['layer norm', { ...plain, layerNorm: true }, coefficients],
  ['a critic of the state', { ...plain, critic: 'state' }, coefficients],
  ['a critic of the state per agent', { ...plain, critic: 'state+agent', layerNorm: true }, coefficients],
  ['memory', { ...plain, recurrent: true }, coefficients],
  [
    'memory, layer norm and a critic of the state',
    { ...plain, recurrent: true, layerNorm: true, critic: 'state' },
    coefficients,
  ],
  [
    'memory and a critic of the state per agent',
    { ...plain, recurrent: true, critic: 'state+agent' },
    coefficients,
  ],
  ['clipped values and Huber loss', plain, { ...coefficients, clipVloss: true, huberDelta: 0.5 }],
];

function feedsFor(network: ActorCritic, batch: BatchShape) {
  const rng = new CounterRng(5n, 0);
  const normals = (count: number): number[] => Array.from({ length: count }, () => rng.nextNormal());
  const count = rowsOf(batch);
  const units = batch.slices.reduce((a, b) => a + b);
  const withOnes = (height: number, width: number) =>
    normals(height * (width + 1)).map((value, i) => (i % (width + 1) === width ? 1 : value));
  const weights = Array.from({ length: count }, (_, i) => (i === count - 1 ? 0 : 1 / (count - 1)));
  return {
    parameters: normals(network.layout.size).map((value) => 0.5 * value),
    obs: withOnes(count, 4),
    state: withOnes(batch.numSteps * units, 3),
    logitBias: Array<number>(count * 3)
      .fill(0)
      .with(1, -1e9),
    actions: Array.from({ length: count }, (_, i) => (i === 1 ? 2 : i % 3)).with(0, 0),
    logProbs: normals(count).map((value) => -1 - Math.abs(value)),
    advantages: normals(count),
    returns: normals(count),
    oldValues: normals(count),
    weights,
    policyWeights: weights.with(2, 0),
    keep: Array.from({ length: count }, (_, i) => Number(i !== 1)),
    actorHidden: normals(batch.numAgents * units * 5),
    criticHidden: normals(valuesPerCopy(network) * units * 5),
  };
}

describe('lossGraph of every kind of network', () => {
  test.each(kinds)('%s has the gradient that central differences give', async (_, config, options) => {
    const network = actorCritic(sizes, config);
    const batch = batchShape(network, 3, config.recurrent ? 2 : 1);
    const { g, loss, gradient } = lossGraph(network, batch, options, 'f64');
    const run = await prepare(g, { loss: loss.loss, gradient });
    const feeds = feedsFor(network, batch);
    const exact = (await run(feeds)).gradient as number[];
    const lossAt = async (element: number, offset: number): Promise<number> => {
      const moved = feeds.parameters.with(element, (feeds.parameters[element] as number) + offset);
      return (await run({ ...feeds, parameters: moved })).loss?.[0] as number;
    };
    for (const element of feeds.parameters.keys()) {
      const slope = ((await lossAt(element, 1e-5)) - (await lossAt(element, -1e-5))) / 2e-5;
      expect(exact[element], `d loss / d parameters[${element}]`).toBeCloseTo(slope, 6);
    }
  });

  test('agents that could not act move the critic, not the actor', async () => {
    const { g, loss, gradient } = lossGraph(net, shape, coefficients, 'f64');
    const run = await prepare(g, { loss: loss.loss, statistics: loss.statistics, gradient });
    const feeds = { ...createFeeds(), policyWeights: Array<number>(rows).fill(0) };
    const result = await run(feeds);
    const slopes = (name: string): number[] => {
      const offset = net.layout.specs
        .slice(
          0,
          net.layout.specs.findIndex((spec) => spec.name === name),
        )
        .reduce((sum, spec) => sum + spec.shape[0] * spec.shape[1], 0);
      return (result.gradient as number[]).slice(offset, offset + 3);
    };
    expect(slopes('actor.2.weight')).toEqual([0, 0, 0]);
    expect(slopes('critic.2.weight').every((slope) => slope !== 0)).toBe(true);
    expect(result.statistics?.slice(2)).toEqual([0, 0, 0].map((x) => expect.closeTo(x, 12)));
  });

  test('a clipped value loss is the worse of the two errors, beyond delta linear', async () => {
    const one = actorCritic({ ...sizes, numAgents: 1 }, plain);
    const options = { ...coefficients, clipVloss: true, huberDelta: 1 };
    const { g, loss } = lossGraph(one, batchShape(one, 1, 1), options, 'f64');
    const run = await prepare(g, { statistics: loss.statistics });
    const base = {
      parameters: Array<number>(one.layout.size).fill(0),
      obs: [0, 0, 0, 0, 1],
      logitBias: [0, 0, 0],
      actions: [0],
      logProbs: [Math.log(1 / 3)],
      advantages: [0],
      weights: [1],
      policyWeights: [1],
    };
    // The value is 0. Unclipped error 0.5; clipped to 1 - 0.2 = 0.8, error 0.3: 0.5 · 0.25.
    const mild = await run({ ...base, returns: [0.5], oldValues: [1] });
    expect(mild.statistics?.[1]).toBeCloseTo(0.125, 12);
    // Clipped to 2.8, error 2.3: 2.3 - 0.5 with delta 1.
    const wild = await run({ ...base, returns: [0.5], oldValues: [3] });
    expect(wild.statistics?.[1]).toBeCloseTo(1.8, 12);
  });
});

describe('trainGraph', () => {
  test('takes the Adam step of the clipped gradient', async () => {
    const feeds = createFeeds();
    const { g, gradient } = lossGraph(net, shape, coefficients, 'f64');
    const slope = (await (await prepare(g, { gradient }))(feeds)).gradient as number[];
    const norm = Math.hypot(...slope);
    const maxGradNorm = norm / 3;
    const session = await createSession(trainGraph(net, shape, { ...coefficients, maxGradNorm }));
    const { size } = net.layout;
    const f32 = (values: readonly number[], shape: number[]) => wrap(Float32Array.from(values), shape);
    const moment = (scale: number): number[] =>
      Array.from({ length: size }, (_, i) => scale * (1 + Math.sin(i)));
    const [first, second] = [moment(0.01), moment(0.02)];
    const result = await session.run({
      parameters: f32(feeds.parameters, [1, size]),
      firstMoment: f32(first, [1, size]),
      secondMoment: f32(second, [1, size]),
      adam: f32(adamScalars(1e-3, 3), [1, 2]),
      obs: f32(feeds.obs, [rows, 5]),
      logitBias: f32(feeds.logitBias, [3, rows]),
      actions: wrap(Int32Array.from(feeds.actions), [1, rows]),
      logProbs: f32(feeds.logProbs, [1, rows]),
      advantages: f32(feeds.advantages, [1, rows]),
      returns: f32(feeds.returns, [1, rows]),
      weights: f32(feeds.weights, [1, rows]),
      policyWeights: f32(feeds.policyWeights, [1, rows]),
    });
    for (let i = 0; i < size; i++) {
      // Kingma and Ba, algorithm 1, at step 3 on a third of the gradient.
      const d = (slope[i] as number) / 3;
      const m = 0.9 * (first[i] as number) + 0.1 * d;
      const v = 0.999 * (second[i] as number) + 0.001 * d * d;
      const stepped = (m / (1 - 0.9 ** 3) / (Math.sqrt(v / (1 - 0.999 ** 3)) + 1e-5)) * 1e-3;
      const moved =
        (feeds.parameters[i] as number) -
        ((result.newParameters as { data: Float32Array }).data[i] as number);
      expect(moved, `step of parameter ${i}`).toBeCloseTo(stepped, 5);
    }
    const statistics = (result.statistics as { data: Float32Array }).data;
    expect(statistics[stepStatistics.indexOf('grad_norm')]).toBeCloseTo(norm, 4);
  });
});

/** The statistics of the loss in plain loops. */
function referenceStatistics(feeds: ReturnType<typeof createFeeds>): number[] {
  const parameters = new Map<string, number[]>();
  let offset = 0;
  for (const { name, shape } of net.layout.specs) {
    const size = shape[0] * shape[1];
    parameters.set(name, feeds.parameters.slice(offset, offset + size));
    offset += size;
  }
  const forward = (name: string, outputs: number, obs: readonly number[]): number[] => {
    const block = (key: string): number[] => parameters.get(`${name}.${key}`) as number[];
    const layer = (x: readonly number[], weight: number[], bias: number[]): number[] =>
      bias.map((b, j) => Math.tanh(x.reduce((sum, xi, i) => sum + xi * (weight[i * 5 + j] as number), b)));
    const first = layer(obs, block('0.weight'), Array<number>(5).fill(0));
    const second = layer(first, block('1.weight'), block('1.bias'));
    return Array.from({ length: outputs }, (_, k) =>
      second.reduce(
        (sum, h, i) => sum + h * (block('2.weight')[k * 5 + i] as number),
        block('2.bias')[k] as number,
      ),
    );
  };
  const sums = [0, 0, 0, 0, 0];
  for (let row = 0; row < 5; row++) {
    const obs = feeds.obs.slice(row * 5, row * 5 + 5);
    const logits = forward('actor', 3, obs).map((x, k) => x + (feeds.logitBias[k * rows + row] as number));
    const total = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
    const logProbs = logits.map((x) => x - total);
    const logRatio = (logProbs[feeds.actions[row] as number] as number) - (feeds.logProbs[row] as number);
    const ratio = Math.exp(logRatio);
    const advantage = feeds.advantages[row] as number;
    const clipped = Math.min(Math.max(ratio, 0.8), 1.2);
    const error = (forward('critic', 1, obs)[0] as number) - (feeds.returns[row] as number);
    const entropy = -logProbs.reduce((sum, x) => sum + Math.exp(x) * x, 0);
    const parts = [
      -Math.min(advantage * ratio, advantage * clipped),
      0.5 * error ** 2,
      entropy,
      ratio - 1 - logRatio,
      Number(Math.abs(ratio - 1) > 0.2),
    ];
    for (const [i, part] of parts.entries()) sums[i] = (sums[i] as number) + 0.2 * part;
  }
  return sums;
}

describe('lossGraph of a whole rollout as it is dealt', () => {
  const [E, A, T, L] = [3, 2, 4, 2];

  /** Loss, statistics and gradient of one minibatch that holds the whole rollout, cut into the given slices. */
  async function lossOf(config: NetworkConfig, slices: readonly number[], order: bigint) {
    const network = actorCritic(sizes, config);
    const numSteps = config.recurrent ? L : 1;
    const isCentral = config.critic !== 'observation';
    const buffer = new RolloutBuffer({ firstAgent: 0, numAgents: A, obsDim: 4, numActions: 3 }, E, T, {
      stateDim: isCentral ? 3 : 0,
      chunkLength: config.recurrent ? L : 0,
      hidden: config.recurrent ? 5 : 0,
      criticRows: valuesPerCopy(network),
    });
    const rng = new CounterRng(11n, 0);
    for (const array of [buffer.obs, buffer.state, buffer.logProbs, buffer.advantages, buffer.returns]) {
      for (let i = 0; i < array.length; i++) array[i] = rng.nextNormal();
    }
    for (const array of [buffer.actorHidden, buffer.criticHidden]) {
      for (let i = 0; i < array.length; i++) array[i] = rng.nextNormal();
    }
    for (let i = 0; i < buffer.actions.length; i++) buffer.actions[i] = rng.nextBelow(3);
    buffer.starts[3 * E + 1] = 1;
    const batch = { numSteps, numAgents: A, slices };
    const minibatches = new Minibatches(buffer, {
      ...batch,
      hasOldValues: false,
      criticRowOf: (copy, agent) => criticRow(network, E, copy, agent),
    });
    minibatches.deal(buffer, new CounterRng(order, 0), {
      returnMean: 0,
      returnDeviation: 1,
      valueMean: 0,
      valueDeviation: 1,
      normAdv: false,
    });
    const { g, loss, gradient } = lossGraph(network, batch, coefficients);
    const run = await prepare(g, { loss: loss.loss, statistics: loss.statistics, gradient });
    const [feeds] = minibatches.feeds;
    const dealt = Object.entries(feeds ?? {}).map(([name, { data }]) => [
      name,
      Array.from(data as Float32Array),
    ]);
    const parameters = network.layout.initialise(new CounterRng(4n, 0));
    return run({ ...Object.fromEntries(dealt), parameters: Array.from(parameters) });
  }

  test.each<[string, Partial<NetworkConfig>, number[][]]>([
    ['a critic of the state per agent', { critic: 'state+agent' }, [[12], [5, 7], [4, 4, 4]]],
    ['a critic of the state', { critic: 'state' }, [[12], [5, 7]]],
    ['memory', { recurrent: true }, [[6], [2, 4], [1, 2, 3]]],
    ['memory and a critic of the state', { recurrent: true, critic: 'state' }, [[6], [2, 4]]],
    ['memory and a critic of the state per agent', { recurrent: true, critic: 'state+agent' }, [[6], [2, 4]]],
  ])('%s: neither order nor slices matter', async (_, changes, cuts) => {
    const config = { ...plain, ...changes };
    const whole = await lossOf(config, cuts[0] as number[], 1n);
    for (const [i, slices] of cuts.entries()) {
      const result = await lossOf(config, slices, BigInt(i + 2));
      for (const name of ['loss', 'statistics', 'gradient']) {
        expect(result[name], `${name} of ${slices}`).toEqual(whole[name]?.map((x) => expect.closeTo(x, 5)));
      }
    }
  });
});
