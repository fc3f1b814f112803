/**
 * One QMIX gradient step against its arithmetic floor: an ONNX graph of the step's matrix products, sigmoids and tanh alone, in the
 * same shapes and the same order in time, run in turn with it. Three agents, 75 observations, 8 actions, state 72, 32 episodes, GRU
 * 64, mixer 32, generators 64. Printed are medians and the ratio of the medians, in CPU time.
 */
import type { InferenceSession } from 'onnxruntime-node';
import {
  type BatchShape,
  columnsOf,
  stairFeeds,
  stairOf,
} from '../src/engine/learn/algos/value/batch-shape.ts';
import { trainGraph, valueStatistics } from '../src/engine/learn/algos/value/value-graphs.ts';
import type { ValueNetwork } from '../src/engine/learn/algos/value/value-network.ts';
import { emitOnnx } from '../src/engine/learn/graph/emit.ts';
import { Graph } from '../src/engine/learn/graph/graph.ts';
import type { Tensor } from '../src/engine/learn/graph/node.ts';
import { createSession, type OrtTensor, wrap } from '../src/engine/learn/graph/session.ts';
import { learnerCatalogue } from '../src/engine/learn/index.ts';
import { hypernetMixer } from '../src/engine/learn/nn/mixer.ts';
import { ParameterLayout } from '../src/engine/learn/nn/parameters.ts';
import { type QNetwork, qNetworkParameters } from '../src/engine/learn/nn/q-network.ts';
import type { ValueConfig } from '../src/shared/rl/learner.ts';
import { type Figure, median, printReport } from './figure.ts';

const [numAgents, obsDim, numActions, stateDim, episodes, hidden] = [3, 75, 8, 72, 32, 64];
const [mixing, generators] = [32, 64];
const blocks = 20;

const config = learnerCatalogue.presets['qmix-pymarl']?.config as ValueConfig;
const agent: QNetwork = {
  name: 'ally',
  inputs: obsDim + numActions + numAgents,
  hidden,
  numActions,
  isRecurrent: true,
};
const mixer = hypernetMixer({ numAgents, stateDim, mixingEmbed: mixing, hypernetEmbed: generators });
const network: ValueNetwork = {
  groups: [
    {
      name: 'ally',
      view: { firstAgent: 0, numAgents, obsDim, numActions },
      net: agent,
      extras: ['lastAction', 'agentId'],
    },
  ],
  numAgents,
  stateDim,
  mixer,
  layout: new ParameterLayout([...qNetworkParameters(agent), ...mixer.parameters]),
};

interface Runner {
  readonly session: InferenceSession;
  readonly feeds: Readonly<Record<string, OrtTensor>>;
  /** Results are written in place, so that none is allocated. */
  readonly fetches: Readonly<Record<string, OrtTensor>>;
}

/** Deterministic values of about the size that training has. */
function wave(length: number, amplitude: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => amplitude * Math.sin(i * 12.9898));
}

function feed(shape: readonly number[], amplitude = 0.1): OrtTensor {
  return wrap(
    wave(
      shape.reduce((a, b) => a * b, 1),
      amplitude,
    ),
    shape,
  );
}

async function createStep(shape: BatchShape): Promise<Runner> {
  const moments = columnsOf(shape);
  const vector = [1, network.layout.size];
  const row = (value: number): OrtTensor => wrap(new Float32Array(moments).fill(value), [1, moments]);
  const actions = Int32Array.from({ length: moments * numAgents }, (_, i) => i % numActions);
  const following = Int32Array.from({ length: moments }, (_, i) => Math.min(i + episodes, moments - 1));
  const { widths, spans } = stairFeeds(shape);
  return {
    session: await createSession(trainGraph(network, shape.numMoments, config)),
    feeds: {
      parameters: feed(vector),
      target: feed(vector),
      ...(config.optimiser === 'adam' && { firstMoment: feed(vector, 0) }),
      secondMoment: feed(vector, 0),
      scalars: wrap(Float32Array.of(-5e-4, 1e-5), [1, 2]),
      'ally/obs': feed([moments * numAgents, agent.inputs + 1], 1),
      'ally/logitBias': feed([numActions, moments * numAgents], 0),
      'ally/actions': wrap(actions, [1, moments * numAgents]),
      state: feed([moments, stateDim + 1], 1),
      widths: wrap(widths, [widths.length]),
      spans: wrap(spans, [spans.length]),
      following: wrap(following, [moments]),
      rewards: feed([1, moments]),
      discounts: row(0.99),
      weights: row(1 / moments),
    },
    fetches: {
      newParameters: feed(vector, 0),
      newFirstMoment: feed(vector, 0),
      newSecondMoment: feed(vector, 0),
      statistics: feed([valueStatistics.length, 1], 0),
    },
  };
}

/** The products of two agent networks and two mixers forwards, and of one of each backwards. */
async function createFloor(shape: BatchShape): Promise<Runner> {
  const g = new Graph();
  const outputs: Tensor[] = [];
  const columns = shape.widths.map((width) => width * numAgents);
  const obs = g.input('obs', [columns.reduce((a, b) => a + b, 0), agent.inputs + 1]);
  const state = g.input('state', [columnsOf(shape), stateDim + 1]);
  for (const name of ['online', 'target']) {
    const weights = (key: string, rows: number, width: number): Tensor =>
      g.input(`${name}.${key}`, [rows, width]);
    outputs.push(...agentProducts(g, obs, columns, weights, name === 'online'));
    outputs.push(...mixerProducts(g, state, weights, name === 'online'));
  }
  const named = Object.fromEntries(outputs.map((output, i) => [`product${i}`, output]));
  return {
    session: await createSession(emitOnnx(g, named, { name: 'floor' })),
    feeds: Object.fromEntries([...g.inputs].map(([name, input]) => [name, feed(input.shape)])),
    fetches: Object.fromEntries(
      Object.entries(named).map(([name, { shape: size }]) => [name, feed(size, 0)]),
    ),
  };
}

type Weights = (key: string, rows: number, width: number) => Tensor;

function agentProducts(
  g: Graph,
  obs: Tensor,
  columns: readonly number[],
  weights: Weights,
  isOnline: boolean,
): Tensor[] {
  const encode = weights('encode', agent.inputs + 1, hidden);
  const [gatesW, candidatesW] = [
    weights('gatesW', 2 * hidden, hidden),
    weights('candidatesW', hidden, hidden),
  ];
  const [gatesU, candidatesU] = [
    weights('gatesU', 2 * hidden, hidden),
    weights('candidatesU', hidden, hidden),
  ];
  const head = weights('head', numActions, hidden);
  const encoded = g.matmul(encode, obs, { transA: true, transB: true });
  const [gates, candidates] = [g.matmul(gatesW, encoded), g.matmul(candidatesW, encoded)];
  const steps = columns.map((width, t) => {
    const h = weights(`h${t}`, hidden, width);
    return { s: g.sigmoid(g.matmul(gatesU, h)), n: g.tanh(g.matmul(candidatesU, h)) };
  });
  const forward = [gates, candidates, g.matmul(head, encoded), ...steps.flatMap(({ s, n }) => [s, n])];
  if (!isOnline) return forward;
  const back = steps.map(({ s, n }) =>
    g.linear(candidatesU, n, g.matmul(gatesU, s, { transA: true }), { transA: true }),
  );
  const slope = weights('slope', hidden, encoded.shape[1] as number);
  const products = (x: Tensor): Tensor[] => [gates, candidates].map((d) => g.matmul(d, x, { transB: true }));
  const toEncoded = g.linear(candidatesW, candidates, g.matmul(gatesW, gates, { transA: true }), {
    transA: true,
  });
  return [
    ...forward,
    ...back,
    ...products(encoded),
    ...products(slope),
    g.matmul(obs, toEncoded, { transA: true, transB: true }),
    g.matmul(g.matmul(head, encoded), slope, { transB: true }),
    g.matmul(head, g.matmul(head, slope), { transA: true }),
  ];
}

function mixerProducts(g: Graph, state: Tensor, weights: Weights, isOnline: boolean): Tensor[] {
  const sections = [generators, generators, mixing, mixing];
  const linear = g.matmul(weights('state', stateDim + 1, 2 * generators + 2 * mixing), state, {
    transA: true,
    transB: true,
  });
  const [toW1, toW2, toV] = g.split(linear, sections, 0) as [Tensor, Tensor, Tensor];
  const layers = [
    { w: weights('w1', numAgents * mixing, generators), x: toW1 },
    { w: weights('w2', mixing, generators), x: toW2 },
    { w: weights('v', 1, mixing), x: toV },
  ].map(({ w, x }) => ({ w, x, y: g.matmul(w, x) }));
  if (!isOnline) return layers.map(({ y }) => y);
  return [
    ...layers.flatMap(({ w, x, y }) => [g.matmul(w, y, { transA: true }), g.matmul(y, x, { transB: true })]),
    g.matmul(state, linear, { transA: true, transB: true }),
  ];
}

/** CPU milliseconds of a run. */
async function time({ session, feeds, fetches }: Runner): Promise<number> {
  const before = process.cpuUsage();
  await session.run(feeds, fetches);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

async function compare(shape: BatchShape): Promise<{ step: number; floor: number }> {
  const step = await createStep(shape);
  const floor = await createFloor(shape);
  const times: { step: number; floor: number }[] = [];
  for (let i = 0; i < blocks + 3; i++) times.push({ step: await time(step), floor: await time(floor) });
  await step.session.release();
  await floor.session.release();
  const kept = times.slice(3);
  return { step: median(kept.map((t) => t.step)), floor: median(kept.map((t) => t.floor)) };
}

/** Lengths that fall evenly by factors: half the episodes are shorter than the geometric mean. */
const stair = (longest: number, shortest: number): BatchShape =>
  stairOf(
    Array.from({ length: episodes }, (_, i) =>
      Math.round(longest * (shortest / longest) ** (i / (episodes - 1))),
    ),
    longest,
  );

const figures: Figure[] = [];
process.stderr.write(
  `  ${valueStatistics.length} statistics, ${network.layout.size} parameters; step ms, floor ms, ratio\n`,
);
for (const [label, shape] of [
  ['24 steps', stair(24, 24)],
  ['40 steps down to 10', stair(40, 10)],
  ['64 steps', stair(64, 64)],
] as const) {
  const { step, floor } = await compare(shape);
  figures.push(
    { name: `QMIX step, 32 episodes of ${label}`, value: step, unit: 'ms' },
    { name: `arithmetic floor, 32 episodes of ${label}`, value: floor, unit: 'ms' },
    { name: `QMIX step / floor, ${label}`, value: step / floor, unit: '' },
  );
  process.stderr.write(
    `  ${label.padEnd(34)}${step.toFixed(1).padStart(7)}${floor.toFixed(1).padStart(7)}${(step / floor).toFixed(2).padStart(7)}\n`,
  );
}
printReport({ figures, detail: { blocks, clock: 'CPU time of the process' } });
