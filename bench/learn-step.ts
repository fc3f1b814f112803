/**
 * One PPO gradient step against its arithmetic floor: an ONNX graph of the step's matrix products and tanh alone, run in
 * turn with it. Printed are medians and the ratio of the medians; CPU time is measured, so that other work on the machine
 * disturbs less.
 */
import type { InferenceSession } from 'onnxruntime-node';
import { batchShape, stepStatistics, trainGraph } from '../src/engine/learn/algos/on-policy/graphs.ts';
import { actorCritic } from '../src/engine/learn/algos/on-policy/networks.ts';
import { emitOnnx } from '../src/engine/learn/graph/emit.ts';
import { Graph } from '../src/engine/learn/graph/graph.ts';
import type { Tensor } from '../src/engine/learn/graph/node.ts';
import { createSession, type OrtTensor, wrap } from '../src/engine/learn/graph/session.ts';
import { ippoDefaults } from '../src/engine/learn/index.ts';
import { type Figure, median, printReport } from './figure.ts';

const obsDim = 18;
const numActions = 5;
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

async function createStep(rows: number, hidden: number): Promise<Runner> {
  const net = actorCritic({ obsDim, numActions, numAgents: 1, stateDim: 1 }, { ...ippoDefaults, hidden });
  const { size } = net.layout;
  const row = (values: Float32Array | Int32Array): OrtTensor => wrap(values, [1, rows]);
  const vector = (values: Float32Array): OrtTensor => wrap(values, [1, size]);
  return {
    session: await createSession(trainGraph(net, batchShape(net, rows, 1), ippoDefaults)),
    feeds: {
      parameters: vector(wave(size, 0.1)),
      firstMoment: vector(new Float32Array(size)),
      secondMoment: vector(new Float32Array(size)),
      adam: wrap(Float32Array.of(-1e-3, 1e-5), [1, 2]),
      obs: wrap(wave(rows * (obsDim + 1), 1), [rows, obsDim + 1]),
      logitBias: wrap(new Float32Array(rows * numActions), [numActions, rows]),
      actions: row(Int32Array.from({ length: rows }, (_, i) => i % numActions)),
      logProbs: row(new Float32Array(rows).fill(-1.6)),
      advantages: row(wave(rows, 1)),
      returns: row(wave(rows, 1)),
      weights: row(new Float32Array(rows).fill(1 / rows)),
      policyWeights: row(new Float32Array(rows).fill(1 / rows)),
    },
    fetches: {
      newParameters: vector(new Float32Array(size)),
      newFirstMoment: vector(new Float32Array(size)),
      newSecondMoment: vector(new Float32Array(size)),
      statistics: wrap(new Float32Array(stepStatistics.length), [stepStatistics.length, 1]),
    },
  };
}

/** Forward and backward products of actor and critic with their four tanh; no bias, loss, derivative or optimiser. */
async function createFloor(rows: number, hidden: number): Promise<Runner> {
  const g = new Graph();
  const x = g.input('x', [rows, obsDim]);
  const outputs: Record<string, Tensor> = {};
  for (const [name, width] of [
    ['actor', numActions],
    ['critic', 1],
  ] as const) {
    const first = g.input(`${name}First`, [obsDim, hidden]);
    const second = g.input(`${name}Second`, [hidden, hidden]);
    const last = g.input(`${name}Last`, [hidden, width]);
    const slope = g.input(`${name}Slope`, [rows, width]);
    const h1 = g.tanh(g.matmul(x, first));
    const h2 = g.tanh(g.matmul(h1, second));
    const d2 = g.matmul(slope, last, { transB: true });
    const d1 = g.matmul(d2, second, { transB: true });
    outputs[`${name}Output`] = g.matmul(h2, last);
    outputs[`${name}LastSlope`] = g.matmul(h2, slope, { transA: true });
    outputs[`${name}SecondSlope`] = g.matmul(h1, d2, { transA: true });
    outputs[`${name}FirstSlope`] = g.matmul(x, d1, { transA: true });
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

async function compare(rows: number, hidden: number): Promise<{ step: number; floor: number }> {
  const step = await createStep(rows, hidden);
  const floor = await createFloor(rows, hidden);
  await timeBlock(step);
  await timeBlock(floor);
  const times: { step: number; floor: number }[] = [];
  for (let i = 0; i < blocks; i++) times.push({ step: await timeBlock(step), floor: await timeBlock(floor) });
  await step.session.release();
  await floor.session.release();
  return { step: median(times.map((t) => t.step)), floor: median(times.map((t) => t.floor)) };
}

const figures: Figure[] = [];
process.stderr.write('  2 x width, batch      step µs   floor µs   ratio\n');
for (const hidden of [64, 128]) {
  for (const rows of [256, 1024, 4096]) {
    const { step, floor } = await compare(rows, hidden);
    const label = `2x${hidden}, batch ${rows}`;
    const aim = rows >= 1024 ? { aim: { atMost: 1.5 } } : {};
    figures.push(
      { name: `train step, ${label}`, value: step, unit: 'µs' },
      { name: `arithmetic floor, ${label}`, value: floor, unit: 'µs' },
      { name: `step / floor, ${label}`, value: step / floor, unit: '', ...aim },
    );
    process.stderr.write(
      `  ${label.padEnd(20)}${step.toFixed(0).padStart(9)}${floor.toFixed(0).padStart(11)}${(step / floor).toFixed(2).padStart(8)}\n`,
    );
  }
}
printReport({ figures, detail: { runsPerBlock, blocks, clock: 'CPU time of the process' } });
