/**
 * One PPO gradient step against its arithmetic floor: an ONNX graph of the step's matrix products and tanh alone, run in
 * turn with it. Printed are medians and the ratio of the medians; CPU time is measured, so that other work on the machine
 * disturbs less.
 */
import type { InferenceSession } from 'onnxruntime-node';
import {
  batchShape,
  rowsOf,
  stepStatistics,
  trainGraph,
} from '../src/engine/learn/algos/on-policy/graphs.ts';
import { actorCritic } from '../src/engine/learn/algos/on-policy/networks.ts';
import { emitOnnx } from '../src/engine/learn/graph/emit.ts';
import { Graph } from '../src/engine/learn/graph/graph.ts';
import type { Tensor } from '../src/engine/learn/graph/node.ts';
import { createSession, type OrtTensor, wrap } from '../src/engine/learn/graph/session.ts';
import { ippoDefaults, mappoDefaults } from '../src/engine/learn/index.ts';
import { type Figure, median, printReport } from './figure.ts';

// Those of simple_spread.
const obsDim = 18;
const numActions = 5;
const numAgents = 3;
const stateDim = 54;
const runsPerBlock = 8;
const blocks = 40;

interface Runner {
  readonly session: InferenceSession;
  readonly feeds: Readonly<Record<string, OrtTensor>>;
  readonly fetches: Readonly<Record<string, OrtTensor>>;
}

/** Deterministic values of about the size that training has. */
function wave(length: number, amplitude: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => amplitude * Math.sin(i * 12.9898));
}

type Learner = 'IPPO' | 'MAPPO';

/** MAPPO's minibatches are of whole teams: about `batch` rows of them. */
async function createStep(learner: Learner, batch: number, hidden: number): Promise<Runner> {
  const settings = { ...(learner === 'IPPO' ? ippoDefaults : mappoDefaults), hidden };
  const net = actorCritic({ obsDim, numActions, numAgents, stateDim }, settings);
  const shape = batchShape(net, unitsOf(learner, batch), 1);
  const rows = rowsOf(shape);
  const { size } = net.layout;
  const row = (values: Float32Array | Int32Array): OrtTensor => wrap(values, [1, rows]);
  const vector = (values: Float32Array): OrtTensor => wrap(values, [1, size]);
  const weights = (): OrtTensor => row(new Float32Array(rows).fill(1 / rows));
  const teams = rows / numAgents;
  return {
    session: await createSession(trainGraph(net, shape, settings)),
    feeds: {
      parameters: vector(wave(size, 0.1)),
      firstMoment: vector(new Float32Array(size)),
      secondMoment: vector(new Float32Array(size)),
      adam: wrap(Float32Array.of(-1e-3, 1e-5), [1, 2]),
      obs: wrap(wave(rows * (obsDim + 1), 1), [rows, obsDim + 1]),
      ...(learner === 'MAPPO' && { state: wrap(wave(teams * (stateDim + 1), 1), [teams, stateDim + 1]) }),
      logitBias: wrap(new Float32Array(rows * numActions), [numActions, rows]),
      actions: row(Int32Array.from({ length: rows }, (_, i) => i % numActions)),
      logProbs: row(new Float32Array(rows).fill(-1.6)),
      advantages: row(wave(rows, 1)),
      returns: row(wave(rows, 1)),
      weights: weights(),
      policyWeights: weights(),
    },
    fetches: {
      newParameters: vector(new Float32Array(size)),
      newFirstMoment: vector(new Float32Array(size)),
      newSecondMoment: vector(new Float32Array(size)),
      statistics: wrap(new Float32Array(stepStatistics.length), [stepStatistics.length, 1]),
    },
  };
}

function unitsOf(learner: Learner, batch: number): number {
  return learner === 'IPPO' ? batch : Math.floor(batch / numAgents);
}

/**
 * Forward and backward products of actor and critic with their four tanh; no bias, loss, derivative or optimiser. A central
 * critic's product with the state is one per team; what it gives the agents is taken as given.
 */
async function createFloor(learner: Learner, batch: number, hidden: number): Promise<Runner> {
  const g = new Graph();
  const units = unitsOf(learner, batch);
  const rows = learner === 'IPPO' ? units : units * numAgents;
  const x = g.input('x', [rows, obsDim]);
  const outputs: Record<string, Tensor> = {};
  for (const [name, width] of [
    ['actor', numActions],
    ['critic', 1],
  ] as const) {
    const isCentral = learner === 'MAPPO' && name === 'critic';
    const seen = isCentral ? g.input('state', [units, stateDim]) : x;
    const first = g.input(`${name}First`, [seen.shape[1] as number, hidden]);
    const second = g.input(`${name}Second`, [hidden, hidden]);
    const last = g.input(`${name}Last`, [hidden, width]);
    const slope = g.input(`${name}Slope`, [rows, width]);
    const product = g.matmul(seen, first);
    if (isCentral) outputs.stateProduct = product;
    const h1 = g.tanh(isCentral ? g.input('perAgent', [rows, hidden]) : product);
    const h2 = g.tanh(g.matmul(h1, second));
    const d2 = g.matmul(slope, last, { transB: true });
    const d1 = g.matmul(d2, second, { transB: true });
    if (isCentral) outputs.perAgentSlope = d1;
    outputs[`${name}Output`] = g.matmul(h2, last);
    outputs[`${name}LastSlope`] = g.matmul(h2, slope, { transA: true });
    outputs[`${name}SecondSlope`] = g.matmul(h1, d2, { transA: true });
    const toFirst = isCentral ? g.input('perTeamSlope', [units, hidden]) : d1;
    outputs[`${name}FirstSlope`] = g.matmul(seen, toFirst, { transA: true });
  }
  const tensor = ({ shape }: Tensor, amplitude: number): OrtTensor =>
    wrap(
      wave(
        shape.reduce((a, b) => a * b, 1),
        amplitude,
      ),
      shape,
    );
  return {
    session: await createSession(emitOnnx(g, outputs, { name: 'floor' })),
    feeds: Object.fromEntries([...g.inputs].map(([name, input]) => [name, tensor(input, 0.1)])),
    fetches: Object.fromEntries(Object.entries(outputs).map(([name, output]) => [name, tensor(output, 0)])),
  };
}

/** CPU microseconds per run. */
async function timeBlock({ session, feeds, fetches }: Runner): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < runsPerBlock; i++) await session.run(feeds, fetches);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / runsPerBlock;
}

async function compare(
  learner: Learner,
  batch: number,
  hidden: number,
): Promise<{ step: number; floor: number }> {
  const step = await createStep(learner, batch, hidden);
  const floor = await createFloor(learner, batch, hidden);
  await timeBlock(step);
  await timeBlock(floor);
  const times: { step: number; floor: number }[] = [];
  for (let i = 0; i < blocks; i++) times.push({ step: await timeBlock(step), floor: await timeBlock(floor) });
  await step.session.release();
  await floor.session.release();
  return { step: median(times.map((t) => t.step)), floor: median(times.map((t) => t.floor)) };
}

const figures: Figure[] = [];
process.stderr.write('  2 x width, batch            step µs   floor µs   ratio\n');
for (const [learner, hidden, batch] of [
  ...[64, 128].flatMap((width) => [256, 1024, 4096].map((rows) => ['IPPO', width, rows] as const)),
  ...[1024, 4096].map((rows) => ['MAPPO', 64, rows] as const),
]) {
  const { step, floor } = await compare(learner, batch, hidden);
  const label = `${learner === 'IPPO' ? '' : `${learner}, `}2x${hidden}, batch ${batch}`;
  const aim = batch >= 1024 ? { aim: { atMost: 1.5 } } : {};
  figures.push(
    { name: `train step, ${label}`, value: step, unit: 'µs' },
    { name: `arithmetic floor, ${label}`, value: floor, unit: 'µs' },
    { name: `step / floor, ${label}`, value: step / floor, unit: '', ...aim },
  );
  process.stderr.write(
    `  ${label.padEnd(26)}${step.toFixed(0).padStart(9)}${floor.toFixed(0).padStart(11)}${(step / floor).toFixed(2).padStart(8)}\n`,
  );
}
printReport({ figures, detail: { runsPerBlock, blocks, clock: 'CPU time of the process' } });
