import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import { gradients } from '../../graph/autodiff.ts';
import { emitOnnx } from '../../graph/emit.ts';
import { Graph } from '../../graph/graph.ts';
import type { FloatType, Tensor } from '../../graph/node.ts';
import { adamStep } from '../../nn/adam.ts';
import { applyQNetwork } from '../../nn/q-network.ts';
import { rmspropStep } from '../../nn/rmsprop.ts';
import { type TdBatch, type TdLoss, tdLoss, tdStatistics, tdTargets } from '../../nn/td-loss.ts';
import { type BatchShape, momentWidths, stepsOf } from './batch-shape.ts';
import type { TeamGroup, ValueNetwork } from './value-network.ts';

/** Statistics of a training step in the order of its `statistics` output. */
export const valueStatistics = [...tdStatistics, 'grad_norm'] as const;

/** Inputs of one group, by name; see `lossGraph`. */
export function groupInput(
  group: Pick<TeamGroup, 'name'>,
  kind: 'obs' | 'logitBias' | 'actions' | 'active',
): string {
  return `${group.name}/${kind}`;
}

/**
 * What a lock-step of play needs of one group's network. Inputs: parameters [1,P], obs [R,I+1] (its last column is 1),
 * hidden [H,R]; outputs: q [N,R], nextHidden [H,R].
 */
export function actGraph({ layout }: ValueNetwork, { net }: TeamGroup, rows: number): Uint8Array {
  const g = new Graph();
  const parameters = layout.unpack(g, g.input('parameters', [1, layout.size]));
  const obs = g.input('obs', [rows, net.inputs + 1]);
  const h0 = g.input('hidden', [net.hidden, rows]);
  const { q, last } = applyQNetwork(g, net, parameters, obs, { h0, numSteps: 1 });
  return emitOnnx(g, net.isRecurrent ? { q, nextHidden: last } : { q }, { name: 'act' });
}

/**
 * One gradient step: both networks over the whole batch, targets, loss, gradients, clipping and optimiser. Inputs: those of
 * `lossGraph`, firstMoment and secondMoment [1,P], scalars [1,2] of the optimiser; outputs: the three vectors after the step
 * and statistics [4,1].
 */
export function trainGraph(net: ValueNetwork, shape: BatchShape, config: ValueConfig): Uint8Array {
  const { g, flat, loss, gradient } = lossGraph(net, shape, config);
  const size = [1, net.layout.size];
  const state = {
    parameters: flat,
    firstMoment: g.input('firstMoment', size),
    secondMoment: g.input('secondMoment', size),
  };
  const step = config.optimiser === 'adam' ? adamStep : rmspropStep;
  const after = step(g, state, gradient, g.input('scalars', [1, 2]), config.maxGradNorm);
  return emitOnnx(
    g,
    {
      newParameters: after.parameters,
      newFirstMoment: after.firstMoment,
      newSecondMoment: after.secondMoment,
      statistics: g.concat([loss.statistics, after.gradientNorm], 0),
    },
    { name: `${config.algorithm}-step` },
  );
}

/**
 * The loss of a batch and its gradient by the flat parameter vector. Inputs, for a batch of L steps and M moments in all (see
 * `BatchShape`) and A agents of a group, which stand side by side in each of them:
 * parameters and target [1,P]; per group obs [M·A,I+1] (last column 1), logitBias [N,M·A], actions [1,L·A] i32 and, with
 * `dropInactive`, active [1,M·A]; state [M,S+1] (last column 1) where the mixer needs it; and the rows [1,L] of `TdBatch`.
 */
export function lossGraph(
  net: ValueNetwork,
  shape: BatchShape,
  config: ValueConfig,
  type: FloatType = 'f32',
): { g: Graph; flat: Tensor; loss: TdLoss; gradient: Tensor; targets: Tensor } {
  const g = new Graph();
  const flat = g.input('parameters', [1, net.layout.size], type);
  const online = net.layout.unpack(g, flat);
  const target = net.layout.unpack(g, g.input('target', [1, net.layout.size], type));
  const steps = stepsOf(shape);
  const qs = net.groups.map((group) => groupValues(g, group, online, target, { shape, config, type }));
  const [now, later] = net.mixer.needsState ? statesOf(g, net, shape, type) : [null, null];
  const all = (of: (values: GroupValues) => Tensor): Tensor => g.concat(qs.map(of), 0);
  const taken = net.mixer.apply(
    g,
    online,
    all((q) => q.taken),
    now,
  );
  const next = net.mixer.apply(
    g,
    target,
    all((q) => q.next),
    later,
  );
  const row = (name: string): Tensor => g.input(name, [1, steps], type);
  const batch: TdBatch = {
    rewards: row('rewards'),
    discounts: row('discounts'),
    carry: row('carry'),
    weights: row('weights'),
  };
  const targets = tdTargets(g, batch, next, { widths: shape.widths, tdLambda: config.tdLambda });
  const loss = tdLoss(g, taken, targets, batch.weights);
  const slopes = gradients(g, loss.loss, [...online.values()]);
  const blocks = new Map([...online.keys()].map((name, i) => [name, slopes[i] as Tensor] as const));
  return { g, flat, loss, targets, gradient: net.layout.pack(g, blocks) };
}

interface GroupValues {
  /** Q of the actions taken, by the online network: [A,L]. */
  readonly taken: Tensor;
  /** Q of the best legal action of the step after, by the target network: [A,L]. */
  readonly next: Tensor;
}

interface GroupContext {
  readonly shape: BatchShape;
  readonly config: ValueConfig;
  readonly type: FloatType;
}

function groupValues(
  g: Graph,
  group: TeamGroup,
  online: ReadonlyMap<string, Tensor>,
  target: ReadonlyMap<string, Tensor>,
  { shape, config, type }: GroupContext,
): GroupValues {
  const { net, view } = group;
  const rows = shape.episodes * view.numAgents;
  const steps = stepsOf(shape) * view.numAgents;
  const total = rows + steps;
  const obs = g.input(groupInput(group, 'obs'), [total, net.inputs + 1], type);
  const logitBias = g.input(groupInput(group, 'logitBias'), [net.numActions, total], type);
  const columns = momentWidths(shape).map((width) => width * view.numAgents);
  const sequence = { h0: g.fill(0, [net.hidden, rows], type), numSteps: columns.length, columns };
  const valuesOf = (parameters: ReadonlyMap<string, Tensor>): Tensor =>
    applyQNetwork(g, net, parameters, obs, sequence).q;
  const before = (x: Tensor): Tensor => momentsBefore(g, x, shape, 1, view.numAgents);
  const after = (x: Tensor): Tensor => momentsAfter(g, x, shape, 1, view.numAgents);
  const q = valuesOf(online);
  const actions = g.oneHot(g.input(groupInput(group, 'actions'), [1, steps], 'i32'), net.numActions, type);
  const taken = g.sum(g.mul(before(q), actions), [0]);

  // Masked in both networks: an illegal action is neither chosen nor, where the target chooses itself, worth anything.
  const bias = after(logitBias);
  const nextQ = g.add(after(valuesOf(target)), bias);
  const best = g.argMax(config.doubleQ ? g.add(after(q), bias) : nextQ, 0);
  const next = g.sum(g.mul(nextQ, g.oneHot(best, net.numActions, type)), [0]);

  const active = config.dropInactive ? g.input(groupInput(group, 'active'), [1, total], type) : null;
  const perAgent = (x: Tensor): Tensor =>
    g.transpose(g.reshape(x, [steps / view.numAgents, view.numAgents]), [1, 0]);
  return {
    taken: perAgent(active ? g.mul(taken, before(active)) : taken),
    next: perAgent(active ? g.mul(next, after(active)) : next),
  };
}

/** States at the steps taken and at the moments after them, [L,S+1] each. */
function statesOf(
  g: Graph,
  { stateDim }: ValueNetwork,
  shape: BatchShape,
  type: FloatType,
): [now: Tensor, later: Tensor] {
  const states = g.input('state', [shape.episodes + stepsOf(shape), stateDim + 1], type);
  return [momentsBefore(g, states, shape, 0), momentsAfter(g, states, shape, 0)];
}

/** Of what is told of all moments along `axis`, with `agents` entries each: those that a step follows, in the order of steps. */
function momentsBefore(g: Graph, x: Tensor, shape: BatchShape, axis: number, agents = 1): Tensor {
  const { widths } = shape;
  // Runs of moments that stay, each with those of its last moment that have no further step, and so go.
  const sizes: number[] = [0];
  for (const [t, width] of momentWidths(shape).entries()) {
    const staying = widths[t] ?? 0;
    sizes.push((sizes.pop() as number) + staying * agents);
    if (width > staying) sizes.push((width - staying) * agents, 0);
  }
  const pieces = g.split(
    x,
    sizes.filter((size, i) => size > 0 || i < sizes.length - 1),
    axis,
  );
  return g.concat(
    pieces.filter((_, i) => i % 2 === 0),
    axis,
  );
}

/** The same of the moments that follow a step, in the order of steps. */
function momentsAfter(g: Graph, x: Tensor, shape: BatchShape, axis: number, agents = 1): Tensor {
  return g.split(x, [shape.episodes * agents, stepsOf(shape) * agents], axis)[1] as Tensor;
}
