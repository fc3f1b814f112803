import { gradients } from '../graph/autodiff.ts';
import { emitOnnx } from '../graph/emit.ts';
import { Graph } from '../graph/graph.ts';
import type { ElementType, FloatType, Tensor } from '../graph/node.ts';
import { adamStep } from '../nn/adam.ts';
import { applyMlp, type MlpShape, mlpParameters } from '../nn/mlp.ts';
import { ParameterLayout } from '../nn/parameters.ts';
import {
  lossStatistics,
  type PpoBatch,
  type PpoCoefficients,
  type PpoLoss,
  ppoLoss,
} from '../nn/ppo-loss.ts';

/** Actor and critic of one group: two tanh MLPs over the same observation. */
export interface ActorCritic {
  readonly obsDim: number;
  readonly numActions: number;
  readonly actor: MlpShape;
  readonly critic: MlpShape;
  readonly layout: ParameterLayout;
}

export function actorCritic(obsDim: number, numActions: number, hidden: number): ActorCritic {
  const trunk = { inputs: obsDim, hidden, hiddenLayers: 2 };
  const actor = { ...trunk, name: 'actor', outputs: numActions, outputGain: 0.01 };
  const critic = { ...trunk, name: 'critic', outputs: 1, outputGain: 1 };
  const layout = new ParameterLayout([...mlpParameters(actor), ...mlpParameters(critic)]);
  return { obsDim, numActions, actor, critic, layout };
}

/** Statistics of a training step in the order of its `statistics` output. */
export const stepStatistics = [...lossStatistics, 'grad_norm'] as const;

/**
 * The rollout's graph: inputs parameters [1,P], obs [B,O+1] (its last column is 1), logitBias [N,B]; outputs probs and logProbs [N,B],
 * values [1,B] (in the critic's units).
 */
export function actGraph(net: ActorCritic, rows: number): Uint8Array {
  const g = new Graph();
  const parameters = net.layout.unpack(g, g.input('parameters', [1, net.layout.size]));
  const obs = g.input('obs', [rows, net.obsDim + 1]);
  const logitBias = g.input('logitBias', [net.numActions, rows]);
  const logProbs = g.logSoftmax(g.add(applyMlp(g, net.actor, parameters, obs), logitBias), 0);
  const values = applyMlp(g, net.critic, parameters, obs);
  return emitOnnx(g, { logProbs, probs: g.exp(logProbs), values }, { name: 'act' });
}

/**
 * One gradient step: forward, loss, gradients, clipping and Adam. Inputs: parameters, firstMoment, secondMoment [1,P],
 * adam [1,2], obs [B,O+1], logitBias [N,B], and the rows of `PpoBatch`; outputs: the three vectors after the step and
 * statistics [6,1].
 */
export function trainGraph(
  net: ActorCritic,
  rows: number,
  coefficients: PpoCoefficients & { readonly maxGradNorm: number },
): Uint8Array {
  const { g, flat, loss, gradient } = lossGraph(net, rows, coefficients);
  const size = [1, net.layout.size];
  const after = adamStep(
    g,
    {
      parameters: flat,
      firstMoment: g.input('firstMoment', size),
      secondMoment: g.input('secondMoment', size),
    },
    gradient,
    g.input('adam', [1, 2]),
    coefficients.maxGradNorm,
  );
  const statistics = g.concat([loss.statistics, after.gradientNorm], 0);
  return emitOnnx(
    g,
    {
      newParameters: after.parameters,
      newFirstMoment: after.firstMoment,
      newSecondMoment: after.secondMoment,
      statistics,
    },
    { name: 'ppo-step' },
  );
}

/**
 * Rows that go through network, loss and gradients together: few enough that activations stay in the second-level cache
 * until the backward pass needs them, many enough that the cost per kernel does not count.
 */
const defaultSliceRows = 1024;

export interface LossGraphOptions {
  /** f64 is for tests. */
  readonly type?: FloatType;
  readonly sliceRows?: number;
}

/** The loss of a minibatch and its gradient by the flat parameter vector; apart, so that tests can take differences. */
export function lossGraph(
  net: ActorCritic,
  rows: number,
  coefficients: PpoCoefficients,
  { type = 'f32', sliceRows = defaultSliceRows }: LossGraphOptions = {},
): { g: Graph; flat: Tensor; loss: PpoLoss; gradient: Tensor } {
  const g = new Graph();
  const flat = g.input('parameters', [1, net.layout.size], type);
  const parameters = net.layout.unpack(g, flat);
  const sizes = evenParts(rows, Math.max(1, Math.round(rows / sliceRows)));
  const columns = (name: string, height: number, of: ElementType = type): readonly Tensor[] =>
    g.split(g.input(name, [height, rows], of), sizes, 1);
  const obs = g.split(g.input('obs', [rows, net.obsDim + 1], type), sizes, 0);
  const logitBias = columns('logitBias', net.numActions);
  const actions = columns('actions', 1, 'i32');
  const logProbs = columns('logProbs', 1);
  const advantages = columns('advantages', 1);
  const returns = columns('returns', 1);
  const weights = columns('weights', 1);

  const losses = sizes.map((_, i) => {
    const at = (slices: readonly Tensor[]): Tensor => slices[i] as Tensor;
    const logits = g.add(applyMlp(g, net.actor, parameters, at(obs)), at(logitBias));
    const values = applyMlp(g, net.critic, parameters, at(obs));
    const batch: PpoBatch = {
      actions: at(actions),
      logProbs: at(logProbs),
      advantages: at(advantages),
      returns: at(returns),
      weights: at(weights),
    };
    return ppoLoss(g, g.logSoftmax(logits, 0), values, batch, coefficients);
  });
  const loss: PpoLoss = {
    loss: losses.map((part) => part.loss).reduce((sum, x) => g.add(sum, x)),
    statistics: losses.map((part) => part.statistics).reduce((sum, x) => g.add(sum, x)),
  };
  const slopes = gradients(g, loss.loss, [...parameters.values()]);
  const blocks = new Map([...parameters.keys()].map((name, i) => [name, slopes[i] as Tensor] as const));
  return { g, flat, loss, gradient: net.layout.pack(g, blocks) };
}

function evenParts(total: number, count: number): number[] {
  return Array.from(
    { length: count },
    (_, i) => Math.floor((total * (i + 1)) / count) - Math.floor((total * i) / count),
  );
}
