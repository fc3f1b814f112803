import { gradients } from '../../graph/autodiff.ts';
import { emitOnnx } from '../../graph/emit.ts';
import { Graph } from '../../graph/graph.ts';
import type { ElementType, FloatType, Tensor } from '../../graph/node.ts';
import { adamStep } from '../../nn/adam.ts';
import {
  lossStatistics,
  type PpoBatch,
  type PpoCoefficients,
  type PpoLoss,
  ppoLoss,
} from '../../nn/ppo-loss.ts';
import { type ActorCritic, applyActor, applyCritic, type PassInputs, valuesPerCopy } from './networks.ts';

/** Statistics of a training step in the order of its `statistics` output. */
export const stepStatistics = [...lossStatistics, 'grad_norm'] as const;

/**
 * The rollout's graph over E copies, R = E·A rows: inputs parameters [1,P], obs [R,O+1] and state [E,S+1] (their last
 * columns are 1), logitBias [N,R], actorHidden [R,H], criticHidden [k·E,H]; outputs probs and logProbs [N,R], values
 * (in the critic's units) [1,R] or, where the critic sees the state, [1,k·E] with k of `valuesPerCopy`, nextActorHidden and
 * nextCriticHidden. What a network does not take is no input.
 */
export function actGraph(net: ActorCritic, numEnvs: number): Uint8Array {
  const g = new Graph();
  const rows = numEnvs * net.numAgents;
  const parameters = net.layout.unpack(g, g.input('parameters', [1, net.layout.size]));
  // The rows of the rollout lie copy after copy: to networks over observations each of them is a unit of one agent.
  const obs = g.input('obs', [rows, net.obsDim + 1]);
  const logitBias = g.input('logitBias', [net.numActions, rows]);
  const inputs: PassInputs = {
    numSteps: 1,
    numUnits: numEnvs,
    obs,
    ...stateAndMemory(g, net, rows, numEnvs),
  };
  const actor = applyActor(g, net, parameters, inputs);
  const logProbs = g.logSoftmax(g.add(actor.output, logitBias), 0);
  const critic = applyCritic(g, net, parameters, inputs);
  return emitOnnx(
    g,
    {
      logProbs,
      probs: g.exp(logProbs),
      values: critic.output,
      ...(actor.nextHidden && { nextActorHidden: actor.nextHidden }),
      ...(critic.nextHidden && { nextCriticHidden: critic.nextHidden }),
    },
    { name: 'act' },
  );
}

function stateAndMemory(g: Graph, net: ActorCritic, rows: number, numEnvs: number): Partial<PassInputs> {
  const { config, stateDim } = net;
  const { hidden } = config;
  return {
    ...(config.critic !== 'observation' && { state: g.input('state', [numEnvs, stateDim + 1]) }),
    ...(config.recurrent && {
      actorHidden: g.input('actorHidden', [rows, hidden]),
      criticHidden: g.input('criticHidden', [valuesPerCopy(net) * numEnvs, hidden]),
    }),
  };
}

/**
 * How the rows of a minibatch lie: slice after slice; within a slice step after step, agent after agent, unit after unit.
 * A unit is a chunk of L steps of one copy, all agents of the group; for networks without memory that see observations
 * alone it is a single row.
 */
export interface BatchShape {
  readonly numSteps: number;
  /** Rows per unit and step. */
  readonly numAgents: number;
  /** Units of each slice. */
  readonly slices: readonly number[];
}

/**
 * Rows that go through network, loss and gradients together: few enough that activations stay in the second-level cache
 * until the backward pass needs them, many enough that the cost per kernel does not count.
 */
const defaultSliceRows = 1024;
/** A step of a sequence is a fraction of its rows, and graphs grow with steps times slices. */
const recurrentSliceRows = 4096;

/** numUnits units in slices of about sliceRows rows. */
export function batchShape(
  net: ActorCritic,
  numUnits: number,
  numSteps: number,
  sliceRows = net.config.recurrent ? recurrentSliceRows : defaultSliceRows,
): BatchShape {
  const { recurrent, critic } = net.config;
  const numAgents = recurrent || critic !== 'observation' ? net.numAgents : 1;
  const count = Math.max(1, Math.round((numUnits * numSteps * numAgents) / sliceRows));
  return { numSteps, numAgents, slices: evenParts(numUnits, Math.min(count, numUnits)) };
}

export function rowsOf({ numSteps, numAgents, slices }: BatchShape): number {
  return numSteps * numAgents * slices.reduce((sum, units) => sum + units, 0);
}

/**
 * One gradient step: forward, loss, gradients, clipping and Adam. Inputs: parameters, firstMoment, secondMoment [1,P],
 * adam [1,2], obs [B,O+1], logitBias [N,B], the rows of `PpoBatch`, and what the networks take beside (see `actGraph`;
 * keep [1,B]); outputs: the three vectors after the step and statistics [6,1].
 */
export function trainGraph(
  net: ActorCritic,
  shape: BatchShape,
  coefficients: PpoCoefficients & { readonly maxGradNorm: number },
): Uint8Array {
  const { g, flat, loss, gradient } = lossGraph(net, shape, coefficients);
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

/** The loss of a minibatch and its gradient by the flat parameter vector; apart, so that tests can take differences. */
export function lossGraph(
  net: ActorCritic,
  shape: BatchShape,
  coefficients: PpoCoefficients,
  /** f64 is for tests. */
  type: FloatType = 'f32',
): { g: Graph; flat: Tensor; loss: PpoLoss; gradient: Tensor } {
  const g = new Graph();
  const flat = g.input('parameters', [1, net.layout.size], type);
  const parameters = net.layout.unpack(g, flat);
  const losses = sliceInputs(g, net, shape, coefficients, type).map(({ inputs, logitBias, batch }) => {
    const logits = g.add(applyActor(g, net, parameters, inputs).output, logitBias);
    const values = applyCritic(g, net, parameters, inputs).output;
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

interface SliceInputs {
  readonly inputs: PassInputs;
  readonly logitBias: Tensor;
  readonly batch: PpoBatch;
}

function sliceInputs(
  g: Graph,
  net: ActorCritic,
  shape: BatchShape,
  { clipVloss }: PpoCoefficients,
  type: FloatType,
): SliceInputs[] {
  const { numSteps, numAgents, slices } = shape;
  const { recurrent, critic, hidden } = net.config;
  const rows = rowsOf(shape);
  const rowSizes = slices.map((units) => numSteps * numAgents * units);
  const columns = (name: string, height: number, of: ElementType = type): readonly Tensor[] =>
    g.split(g.input(name, [height, rows], of), rowSizes, 1);
  const lines = (name: string, width: number, sizes: readonly number[]): readonly Tensor[] =>
    g.split(g.input(name, [sizes.reduce((a, b) => a + b), width], type), sizes, 0);
  const obs = lines('obs', net.obsDim + 1, rowSizes);
  const logitBias = columns('logitBias', net.numActions);
  const actions = columns('actions', 1, 'i32');
  const [logProbs, advantages, returns, weights, policyWeights] = (
    ['logProbs', 'advantages', 'returns', 'weights', 'policyWeights'] as const
  ).map((name) => columns(name, 1)) as [Parts, Parts, Parts, Parts, Parts];
  const oldValues = clipVloss ? columns('oldValues', 1) : null;
  const stateSizes = slices.map((units) => numSteps * units);
  const state = critic === 'observation' ? null : lines('state', net.stateDim + 1, stateSizes);
  const memory = recurrent && {
    actorHidden: lines(
      'actorHidden',
      hidden,
      slices.map((units) => numAgents * units),
    ),
    criticHidden: lines(
      'criticHidden',
      hidden,
      slices.map((units) => valuesPerCopy(net) * units),
    ),
    keep: columns('keep', 1),
  };
  return slices.map((numUnits, i) => {
    const at = (parts: Parts): Tensor => parts[i] as Tensor;
    return {
      inputs: {
        numSteps,
        numUnits,
        obs: at(obs),
        ...(state && { state: at(state) }),
        ...(memory && {
          actorHidden: at(memory.actorHidden),
          criticHidden: at(memory.criticHidden),
          keep: at(memory.keep),
        }),
      },
      logitBias: at(logitBias),
      batch: {
        actions: at(actions),
        logProbs: at(logProbs),
        advantages: at(advantages),
        returns: at(returns),
        weights: at(weights),
        policyWeights: at(policyWeights),
        ...(oldValues && { oldValues: at(oldValues) }),
      },
    };
  });
}

type Parts = readonly Tensor[];

function evenParts(total: number, count: number): number[] {
  return Array.from(
    { length: count },
    (_, i) => Math.floor((total * (i + 1)) / count) - Math.floor((total * i) / count),
  );
}
