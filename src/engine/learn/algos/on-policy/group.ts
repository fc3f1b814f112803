import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import type { ManifestGroup } from '../../../../shared/rl/manifest.ts';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import { CounterRng } from '../../../../shared/std/rng.ts';
import { computeGae } from '../../data/gae.ts';
import { Minibatches } from '../../data/minibatches.ts';
import { type GroupView, RolloutBuffer, viewOf } from '../../data/rollout-buffer.ts';
import { RunningNorm } from '../../data/running-norm.ts';
import { type OrtTensor, wrap } from '../../graph/session.ts';
import { AdamVectors } from '../../nn/adam-vectors.ts';
import { ValueNorm } from '../../nn/value-norm.ts';
import { ActSession, criticRow } from './act-session.ts';
import { type BatchShape, batchShape } from './graphs.ts';
import { LaterValues, writeStates } from './later-values.ts';
import { type ActorCritic, actorCritic, valuesPerCopy } from './networks.ts';
import { type StepStatistics, TrainSession } from './train-session.ts';

/** Streams of the seed that a group draws from; group g uses 8g + these. */
const streams = { initialise: 0, act: 1, permute: 2 } as const;
const streamsPerGroup = 8;

/** End-of-step flags of the whole batch, [T,E] u8 each. */
export interface EpisodeEnds {
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
}

/** A learned group of a batch. */
interface GroupPlace {
  readonly group: ManifestGroup;
  /** Its place among the groups that learn: which random streams are its. */
  readonly index: number;
  readonly stateDim: number;
}

interface Parts {
  readonly net: ActorCritic;
  readonly act: ActSession;
  readonly train: TrainSession;
  readonly shape: BatchShape;
}

/**
 * What one agent group owns: networks, optimiser, rollout, random streams. The loops that drive it are in ppo.ts, ippo.ts and
 * mappo.ts; the methods here are their steps, in order.
 */
export class OnPolicyGroup {
  readonly name: string;
  readonly view: GroupView;
  readonly net: ActorCritic;
  readonly adam: AdamVectors;
  readonly valueNorm = new ValueNorm();
  /** Of the global state; null where the critic sees it raw, or does not see it. */
  readonly stateNorm: RunningNorm | null;
  readonly buffer: RolloutBuffer;
  /** [E] u8: copies whose coming step begins an episode. */
  readonly begins: Uint8Array;
  actRng: CounterRng;
  permuteRng: CounterRng;
  readonly #index: number;
  readonly #config: OnPolicyConfig;
  readonly #act: ActSession;
  readonly #train: TrainSession;
  readonly #minibatches: Minibatches;
  /** obs [R,O+1] and state [E,S+1] of each step, over the rollout's own memory. */
  readonly #obsTensors: readonly OrtTensor[];
  readonly #stateTensors: readonly OrtTensor[];
  readonly #later: LaterValues;
  /** Takes in states step by step; `stateNorm` follows after the rollout, so that one scale holds throughout. */
  readonly #seenStates: RunningNorm;
  /** Units of the critic while the rollout was collected. */
  #spoken = { mean: 0, deviation: 1 };

  static async create(place: GroupPlace, config: OnPolicyConfig, seed: number): Promise<OnPolicyGroup> {
    const { group, stateDim } = place;
    const sizes = {
      obsDim: group.obsDim,
      numActions: group.numActions,
      numAgents: group.agents.length,
      stateDim,
    };
    const net = actorCritic(sizes, config);
    const shape = evenBatches(net, config);
    const act = await ActSession.create(net, config.numEnvs);
    const train = await TrainSession.create(net, shape, config);
    return new OnPolicyGroup(place, config, seed, { net, act, train, shape });
  }

  private constructor(place: GroupPlace, config: OnPolicyConfig, seed: number, parts: Parts) {
    const { net, act, train, shape } = parts;
    const { numEnvs, numSteps, hidden } = config;
    const isCentral = config.critic !== 'observation';
    this.name = place.group.name;
    this.view = viewOf(place.group);
    this.net = net;
    this.#index = place.index;
    this.#config = config;
    this.#act = act;
    this.#train = train;
    this.adam = new AdamVectors(net.layout.initialise(this.#stream(seed, streams.initialise)));
    this.actRng = this.#stream(seed, streams.act);
    this.permuteRng = this.#stream(seed, streams.permute);
    this.stateNorm = isCentral && config.stateNorm ? new RunningNorm(net.stateDim) : null;
    this.begins = new Uint8Array(numEnvs).fill(1);
    this.buffer = new RolloutBuffer(this.view, numEnvs, numSteps, {
      stateDim: isCentral ? net.stateDim : 0,
      chunkLength: config.recurrent ? config.chunkLength : 0,
      hidden: config.recurrent ? hidden : 0,
      criticRows: valuesPerCopy(net),
    });
    this.#minibatches = new Minibatches(this.buffer, {
      ...shape,
      hasOldValues: config.clipVloss,
      criticRowOf: (copy, agent) => criticRow(net, numEnvs, copy, agent),
    });
    const obsShape = [this.buffer.rows, net.obsDim + 1];
    const stateShape = [numEnvs, net.stateDim + 1];
    const steps = Array.from({ length: numSteps }, (_, t) => t);
    this.#obsTensors = steps.map((t) => wrap(this.buffer.obsOf(t), obsShape));
    this.#stateTensors = isCentral ? steps.map((t) => wrap(this.buffer.stateOf(t), stateShape)) : [];
    this.#seenStates = new RunningNorm(net.stateDim);
    this.#later = new LaterValues({ net, act, view: this.view, stateNorm: this.stateNorm }, config);
  }

  /** Memories of the networks, for a checkpoint: [R,H] and [k·E,H] f32, empty without. */
  get memories(): { readonly actor: Float32Array; readonly critic: Float32Array } {
    return { actor: this.#act.actorHidden, critic: this.#act.criticHidden };
  }

  /** Starts action and permutation streams of another seed. */
  reseed(seed: number): void {
    this.actRng = this.#stream(seed, streams.act);
    this.permuteRng = this.#stream(seed, streams.permute);
  }

  /** What a checkpoint or a branch brings; all that the networks' inputs and outputs are measured by. */
  loadNorms(valueNorm: Float64Array, stateNorm: Float64Array | null): void {
    this.valueNorm.state.set(valueNorm);
    if (stateNorm === null) return;
    this.stateNorm?.state.set(stateNorm);
    this.#seenStates.state.set(stateNorm);
  }

  /** What the networks remember in the middle of episodes. */
  loadMemories(actor: Float32Array, critic: Float32Array): void {
    this.#act.actorHidden.set(actor);
    this.#act.criticHidden.set(critic);
    this.begins.fill(0);
  }

  /** All copies begin episodes. */
  startCopies(): void {
    this.begins.fill(1);
    this.#act.forgetAll();
  }

  /** Step t: observes, samples, and writes the group's rows of `actions` [E,A]. */
  async act(env: VecEnv, t: number, actions: Int32Array): Promise<void> {
    const { rows } = this.buffer;
    if (t === 0) this.#later.clear();
    this.buffer.observe(env, t, this.#act.logitBias);
    if (this.#isCentral) this.#observeState(env, t);
    if (this.#config.recurrent) {
      this.buffer.remember(t, this.begins, this.#act.actorHidden, this.#act.criticHidden);
    }
    await this.#act.run(
      this.adam.feeds.parameters,
      this.#obsTensors[t] as OrtTensor,
      this.#stateTensors[t] ?? null,
    );
    if (this.#config.recurrent) this.#act.advance();
    const slice = <T extends Float32Array | Int32Array>(array: T): T =>
      array.subarray(t * rows, (t + 1) * rows) as T;
    const chosen = this.#act.sample(this.actRng, slice(this.buffer.logProbs));
    slice(this.buffer.actions).set(chosen);
    this.#writeValues(slice(this.buffer.values));
    const { firstAgent, numAgents } = this.view;
    for (let i = 0, e = 0; e < env.numEnvs; e++) {
      for (let a = 0; a < numAgents; a++) actions[e * env.numAgents + firstAgent + a] = chosen[i++] as number;
    }
  }

  /** Step t, after the environment's: rewards, and what the critic saw last of episodes that were cut off. */
  record(env: VecEnv, t: number): void {
    const { firstAgent, numAgents } = this.view;
    for (let i = t * this.buffer.rows, e = 0; e < env.numEnvs; e++) {
      const isOver = env.terminated[e] === 1 || env.truncated[e] === 1;
      if (env.truncated[e] === 1 && env.terminated[e] === 0 && this.#config.bootstrapTruncated) {
        this.#later.keep(env, e, i);
      }
      for (let a = firstAgent; a < firstAgent + numAgents; a++, i++) {
        this.buffer.rewards[i] = env.rewards[e * env.numAgents + a] as number;
      }
      this.begins[e] = Number(isOver);
      if (isOver) this.#act.forget(e);
    }
  }

  /** Fills nextValues: the following step's value, or V of what was seen last where an episode was cut off. */
  async bootstrap(env: VecEnv): Promise<void> {
    const { buffer } = this;
    const last = buffer.values.length - buffer.rows;
    buffer.nextValues.set(buffer.values.subarray(buffer.rows));
    const { parameters } = this.adam.feeds;
    await this.#later.runPresent(parameters, env);
    this.#writeValues(buffer.nextValues.subarray(last));
    const { mean, deviation } = this.valueNorm;
    await this.#later.valueCutOffs(parameters, (row, value) => {
      buffer.nextValues[row] = value * deviation + mean;
    });
    this.stateNorm?.state.set(this.#seenStates.state);
  }

  /** Advantages and returns, in reward units; value normalisation then takes the returns in. */
  estimateAdvantages({ terminated, truncated }: EpisodeEnds): void {
    const { numEnvs, numSteps, gamma, gaeLambda, bootstrapTruncated } = this.#config;
    const isOver = bootstrapTruncated
      ? terminated
      : terminated.map((flag, i) => flag | (truncated[i] as number));
    computeGae(
      {
        ...this.buffer,
        numSteps,
        numEnvs,
        numAgents: this.view.numAgents,
        terminated: isOver,
        truncated,
        gamma,
        gaeLambda,
      },
      this.buffer.advantages,
      this.buffer.returns,
    );
    const { mean, deviation } = this.valueNorm;
    this.#spoken = { mean, deviation };
    if (this.#config.valueNorm) this.valueNorm.update(this.buffer.returns);
  }

  /** Deals the rollout into the minibatches of one pass. */
  deal(): void {
    this.#minibatches.deal(this.buffer, this.permuteRng, {
      returnMean: this.valueNorm.mean,
      returnDeviation: this.valueNorm.deviation,
      valueMean: this.#spoken.mean,
      valueDeviation: this.#spoken.deviation,
      normAdv: this.#config.normAdv,
    });
  }

  get numMinibatches(): number {
    return this.#minibatches.feeds.length;
  }

  /** One gradient step on a minibatch of the pass. */
  update(minibatch: number, learningRate: number): Promise<StepStatistics> {
    const feeds = this.#minibatches.feeds[minibatch] as Readonly<Record<string, OrtTensor>>;
    return this.#train.step(this.adam, feeds, learningRate);
  }

  async dispose(): Promise<void> {
    await this.#act.dispose();
    await this.#train.dispose();
  }

  get #isCentral(): boolean {
    return this.#config.critic !== 'observation';
  }

  #observeState(env: VecEnv, t: number): void {
    if (this.stateNorm !== null) {
      for (let e = 0; e < env.numEnvs; e++) this.#seenStates.add(env.state, e * env.stateDim);
      if (this.stateNorm.count === 0) this.stateNorm.state.set(this.#seenStates.state);
    }
    writeStates(env, this.stateNorm, this.buffer.stateOf(t));
  }

  /** Values of the last run, brought to reward units. */
  #writeValues(target: Float32Array): void {
    const { mean, deviation } = this.valueNorm;
    for (let i = 0; i < target.length; i++) target[i] = this.#act.valueOf(i) * deviation + mean;
  }

  #stream(seed: number, stream: number): CounterRng {
    return new CounterRng(BigInt(seed), this.#index * streamsPerGroup + stream);
  }
}

/** Minibatches when a rollout is cut into as few, as even parts of at most minibatchSize rows as possible. */
function evenBatches(net: ActorCritic, config: OnPolicyConfig): BatchShape {
  const { numEnvs, numSteps, minibatchSize, recurrent, chunkLength } = config;
  const isByRow = !recurrent && config.critic === 'observation';
  const steps = recurrent ? chunkLength : 1;
  const rowsPerUnit = isByRow ? 1 : steps * net.numAgents;
  const numUnits = (numEnvs * numSteps * net.numAgents) / rowsPerUnit;
  const limit = Math.max(1, Math.floor(minibatchSize / rowsPerUnit));
  const units = Math.ceil(numUnits / Math.ceil(numUnits / limit));
  return batchShape(net, isByRow ? Math.max(2, units) : units, steps);
}
