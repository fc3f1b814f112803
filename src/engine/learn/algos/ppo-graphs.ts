import { gradients } from '../graph/autodiff.ts';
import { emitOnnx } from '../graph/emit.ts';
import { Graph } from '../graph/graph.ts';
import type { FloatType, Tensor } from '../graph/node.ts';
import { adamStep } from '../nn/adam.ts';
import { maskedLogProbs } from '../nn/categorical.ts';
import { applyMlp, type MlpShape, mlpParameters } from '../nn/mlp.ts';
import { ParameterLayout } from '../nn/parameters.ts';
import { type PpoBatch, type PpoCoefficients, type PpoLoss, ppoLoss } from '../nn/ppo-loss.ts';

/** Actor and critic of one group: two tanh MLPs over the same observation. */
export interface ActorCritic {
  readonly obsDim: number;
  readonly numActions: number;
  readonly actor: MlpShape;
  readonly critic: MlpShape;
  readonly layout: ParameterLayout;
}

export function actorCritic(obsDim: number, numActions: number, hidden: number): ActorCritic {
  const actor = { name: 'actor', sizes: [obsDim, hidden, hidden, numActions], outputGain: 0.01 };
  const critic = { name: 'critic', sizes: [obsDim, hidden, hidden, 1], outputGain: 1 };
  const layout = new ParameterLayout([...mlpParameters(actor), ...mlpParameters(critic)]);
  return { obsDim, numActions, actor, critic, layout };
}

/** Statistics of a training step in the order of its `statistics` output. */
export const stepStatistics = [
  'loss',
  'policy_loss',
  'value_loss',
  'entropy',
  'approx_kl',
  'clipfrac',
  'grad_norm',
] as const;

/**
 * The rollout's graph: inputs parameters [P], obs [B,O], logitBias [B,N]; outputs probs and logProbs [B,N],
 * values [B,1] (in the critic's units).
 */
export function actGraph(net: ActorCritic, rows: number): Uint8Array {
  const g = new Graph();
  const parameters = net.layout.unpack(g, g.input('parameters', [net.layout.size]));
  const obs = g.input('obs', [rows, net.obsDim]);
  const logitBias = g.input('logitBias', [rows, net.numActions]);
  const logProbs = maskedLogProbs(g, applyMlp(g, net.actor, parameters, obs), logitBias);
  const values = applyMlp(g, net.critic, parameters, obs);
  return emitOnnx(g, { logProbs, probs: g.exp(logProbs), values }, { name: 'act' });
}

/**
 * One gradient step: forward, loss, gradients, clipping and Adam. Inputs: parameters, firstMoment, secondMoment [P],
 * adam [2], obs [B,O], logitBias [B,N], and the columns of `PpoBatch`; outputs: the three vectors after the step and
 * statistics [7].
 */
export function trainGraph(
  net: ActorCritic,
  rows: number,
  coefficients: PpoCoefficients & { readonly maxGradNorm: number },
): Uint8Array {
  const { g, flat, loss, gradient } = lossGraph(net, rows, coefficients);
  const size = [net.layout.size];
  const after = adamStep(
    g,
    {
      parameters: flat,
      firstMoment: g.input('firstMoment', size),
      secondMoment: g.input('secondMoment', size),
    },
    gradient,
    g.input('adam', [2]),
    coefficients.maxGradNorm,
  );
  const statistics = g.concat(
    [
      loss.loss,
      loss.policyLoss,
      loss.valueLoss,
      loss.entropy,
      loss.approxKl,
      loss.clipfrac,
      after.gradientNorm,
    ].map((x) => g.reshape(x, [1])),
    0,
  );
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

/** The loss of a minibatch and its gradient by the flat parameter vector; apart, so that tests can take differences. */
export function lossGraph(
  net: ActorCritic,
  rows: number,
  coefficients: PpoCoefficients,
  type: FloatType = 'f32',
): { g: Graph; flat: Tensor; loss: PpoLoss; gradient: Tensor } {
  const g = new Graph();
  const flat = g.input('parameters', [net.layout.size], type);
  const parameters = net.layout.unpack(g, flat);
  const obs = g.input('obs', [rows, net.obsDim], type);
  const logitBias = g.input('logitBias', [rows, net.numActions], type);
  const batch: PpoBatch = {
    actions: g.input('actions', [rows, 1], 'i32'),
    logProbs: g.input('logProbs', [rows, 1], type),
    advantages: g.input('advantages', [rows, 1], type),
    returns: g.input('returns', [rows, 1], type),
    weights: g.input('weights', [1, rows], type),
  };
  const newLogProbs = maskedLogProbs(g, applyMlp(g, net.actor, parameters, obs), logitBias);
  const newValues = applyMlp(g, net.critic, parameters, obs);
  const loss = ppoLoss(g, newLogProbs, newValues, batch, coefficients);
  const blocks = gradients(g, loss.loss, [...parameters.values()]);
  return { g, flat, loss, gradient: net.layout.pack(g, blocks) };
}
