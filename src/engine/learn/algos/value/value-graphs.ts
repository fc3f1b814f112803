import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import { gradients } from '../../graph/autodiff.ts';
import { emitOnnx } from '../../graph/emit.ts';
import { Graph } from '../../graph/graph.ts';
import { anySize, type FloatType, type Tensor } from '../../graph/node.ts';
import type { StairSteps } from '../../graph/ops-recurrent.ts';
import { adamStep } from '../../nn/adam.ts';
import { applyQNetwork, qNetworkParameters } from '../../nn/q-network.ts';
import { rmspropStep } from '../../nn/rmsprop.ts';
import { type TdBatch, type TdLoss, tdLoss, tdStatistics, tdTargets } from '../../nn/td-loss.ts';
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
 * What a lock-step of play needs of one group's network. Inputs: each block of its parameters by name (cutting them out of the
 * whole vector would take longer than their products), obs [R,I+1] (its last column is 1), hidden [H,R]; outputs: q [N,R],
 * nextHidden [H,R].
 */
export function actGraph({ net }: TeamGroup, rows: number): Uint8Array {
  const g = new Graph();
  const parameters = new Map(
    qNetworkParameters(net).map(({ name, shape }) => [name, g.input(name, shape)] as const),
  );
  const obs = g.input('obs', [rows, net.inputs + 1]);
  const h0 = g.input('hidden', [net.hidden, rows]);
  const { q, hidden } = applyQNetwork(g, net, parameters, obs, { h0, numSteps: 1 });
  return emitOnnx(g, net.isRecurrent ? { q, nextHidden: hidden } : { q }, { name: 'act' });
}

/**
 * One gradient step: both networks over the whole batch, targets, loss, gradients, clipping and optimiser. Inputs: those of
 * `lossGraph`, firstMoment and secondMoment [1,P], scalars [1,2] of the optimiser; outputs: the three vectors after the step
 * and statistics [4,1].
 */
export function trainGraph(net: ValueNetwork, numMoments: number, config: ValueConfig): Uint8Array {
  const { g, flat, loss, gradient } = lossGraph(net, numMoments, config);
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
 * The loss of a batch of episodes of at most `numMoments` moments, and its gradient by the flat parameter vector. How many
 * episodes there are and how long each is, is known when the graph runs. Inputs, for M moments in all (see `BatchShape`) and A
 * agents of a group, which stand side by side in each of them:
 * parameters and target [1,P]; per group obs [M·A,I+1] (last column 1), logitBias [N,M·A], actions [1,M·A] i32 (any where no step
 * follows) and, with `dropInactive`, active [1,M·A]; state [M,S+1] (last column 1) where the mixer needs it; the rows of
 * `TdBatch`; and, where there is memory, widths and spans of the moments, as `StairSteps` has them.
 */
export function lossGraph(
  net: ValueNetwork,
  numMoments: number,
  config: ValueConfig,
  type: FloatType = 'f32',
): { g: Graph; flat: Tensor; loss: TdLoss; gradient: Tensor; targets: Tensor } {
  const g = new Graph();
  const flat = g.input('parameters', [1, net.layout.size], type);
  const online = net.layout.unpack(g, flat);
  const target = net.layout.unpack(g, g.input('target', [1, net.layout.size], type));
  const steps: StairSteps = {
    numSteps: numMoments,
    widths: g.input('widths', [numMoments], 'i32'),
    spans: g.input('spans', [2 * numMoments - 1], 'i32'),
  };
  const qs = net.groups.map((group) => groupValues(g, group, online, target, { steps, config, type }));
  const state = net.mixer.needsState ? g.input('state', [anySize, net.stateDim + 1], type) : null;
  const all = (of: (values: GroupValues) => Tensor): Tensor => g.concat(qs.map(of), 0);
  const taken = net.mixer.apply(
    g,
    online,
    all((q) => q.taken),
    state,
  );
  const best = net.mixer.apply(
    g,
    target,
    all((q) => q.best),
    state,
  );
  const row = (name: string): Tensor => g.input(name, [1, anySize], type);
  const batch: TdBatch = {
    rewards: row('rewards'),
    discounts: row('discounts'),
    carry: row('carry'),
    weights: row('weights'),
    following: g.input('following', [anySize], 'i32'),
  };
  const targets = tdTargets(g, batch, best, { numSteps: numMoments - 1, tdLambda: config.tdLambda });
  const loss = tdLoss(g, taken, targets, batch.weights);
  const slopes = gradients(g, loss.loss, [...online.values()]);
  const blocks = new Map([...online.keys()].map((name, i) => [name, slopes[i] as Tensor] as const));
  return { g, flat, loss, targets, gradient: net.layout.pack(g, blocks) };
}

/** Of every moment; [A,M] each. */
interface GroupValues {
  /** Q of the actions taken, by the online network. */
  readonly taken: Tensor;
  /** Q of the best legal action, by the target network. */
  readonly best: Tensor;
}

interface GroupContext {
  readonly steps: StairSteps;
  readonly config: ValueConfig;
  readonly type: FloatType;
}

function groupValues(
  g: Graph,
  group: TeamGroup,
  online: ReadonlyMap<string, Tensor>,
  target: ReadonlyMap<string, Tensor>,
  { steps, config, type }: GroupContext,
): GroupValues {
  const { net, view } = group;
  const { numAgents } = view;
  const columns = anySize * numAgents;
  const obs = g.input(groupInput(group, 'obs'), [columns, net.inputs + 1], type);
  const logitBias = g.input(groupInput(group, 'logitBias'), [net.numActions, columns], type);
  const ofAgents = (counts: Tensor): Tensor => g.mul(counts, g.fill(numAgents, [1], 'i32'));
  const perStep = { ...steps, widths: ofAgents(steps.widths), spans: ofAgents(steps.spans) };
  const valuesOf = (parameters: ReadonlyMap<string, Tensor>): Tensor =>
    applyQNetwork(g, net, parameters, obs, perStep).q;
  const chosen = (q: Tensor, actions: Tensor): Tensor =>
    g.sum(g.mul(q, g.oneHot(actions, net.numActions, type)), [0]);
  const q = valuesOf(online);
  const taken = chosen(q, g.input(groupInput(group, 'actions'), [1, columns], 'i32'));

  // Masked in both networks: an illegal action is neither chosen nor, where the target chooses itself, worth anything.
  const targetQ = g.add(valuesOf(target), logitBias);
  const best = chosen(targetQ, g.argMax(config.doubleQ ? g.add(q, logitBias) : targetQ, 0));

  const active = config.dropInactive ? g.input(groupInput(group, 'active'), [1, columns], type) : null;
  const perAgent = (x: Tensor): Tensor =>
    g.transpose(g.reshape(active ? g.mul(x, active) : x, [anySize, numAgents]), [1, 0]);
  return { taken: perAgent(taken), best: perAgent(best) };
}
