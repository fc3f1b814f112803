import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { ManifestGroup } from '../../../shared/rl/manifest.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { CounterRng } from '../../../shared/std/rng.ts';
import { CutOffRows } from '../data/cut-off-rows.ts';
import { computeGae } from '../data/gae.ts';
import { Minibatches } from '../data/minibatches.ts';
import { copyObs, type GroupView, RolloutBuffer, viewOf } from '../data/rollout-buffer.ts';
import { type OrtTensor, wrap } from '../graph/session.ts';
import { AdamVectors } from '../nn/adam-vectors.ts';
import { ValueNorm } from '../nn/value-norm.ts';
import { ActSession } from './act-session.ts';
import { type ActorCritic, actorCritic } from './ppo-graphs.ts';
import { type StepStatistics, TrainSession } from './train-session.ts';

/** Streams of the seed that a group draws from; group g uses 8g + these. */
const streams = { initialise: 0, act: 1, permute: 2 } as const;
const streamsPerGroup = 8;

/** End-of-step flags of the whole batch, [T,E] u8 each. */
export interface EpisodeEnds {
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
}

/**
 * What one agent group owns: network, optimiser, rollout, random streams. The loop that drives it is in ippo.ts; the
 * methods here are its steps, in order.
 */
export class IppoGroup {
  readonly name: string;
  readonly view: GroupView;
  readonly net: ActorCritic;
  readonly adam: AdamVectors;
  readonly valueNorm = new ValueNorm();
  readonly buffer: RolloutBuffer;
  actRng: CounterRng;
  permuteRng: CounterRng;
  readonly #index: number;
  readonly #config: OnPolicyConfig;
  readonly #act: ActSession;
  readonly #train: TrainSession;
  readonly #minibatches: Minibatches;
  /** obs [R,O+1] of each step, over the rollout's own memory. */
  readonly #obsTensors: readonly OrtTensor[];
  /** [R,O+1] f32: observations to be valued after the rollout. */
  readonly #laterObs: Float32Array;
  readonly #laterTensor: OrtTensor;
  readonly #cutOff: CutOffRows;

  static async create(
    group: ManifestGroup,
    index: number,
    config: OnPolicyConfig,
    seed: number,
  ): Promise<IppoGroup> {
    const net = actorCritic(group.obsDim, group.numActions, config.hidden);
    const rows = config.numEnvs * group.agents.length;
    const act = await ActSession.create(net, rows);
    const minibatchRows = evenMinibatch(rows * config.numSteps, config.minibatchSize);
    const train = await TrainSession.create(net, minibatchRows, config);
    return new IppoGroup(group, index, config, seed, net, act, train);
  }

  private constructor(
    group: ManifestGroup,
    index: number,
    config: OnPolicyConfig,
    seed: number,
    net: ActorCritic,
    act: ActSession,
    train: TrainSession,
  ) {
    this.name = group.name;
    this.view = viewOf(group);
    this.net = net;
    this.#index = index;
    this.#config = config;
    this.#act = act;
    this.#train = train;
    this.adam = new AdamVectors(net.layout.initialise(this.#stream(seed, streams.initialise)));
    this.actRng = this.#stream(seed, streams.act);
    this.permuteRng = this.#stream(seed, streams.permute);
    this.buffer = new RolloutBuffer(this.view, config.numEnvs, config.numSteps);
    this.#minibatches = new Minibatches(this.buffer.actions.length, train.rows, net.obsDim, net.numActions);
    const shape = [this.buffer.rows, net.obsDim + 1];
    this.#obsTensors = Array.from({ length: config.numSteps }, (_, t) => wrap(this.buffer.obsOf(t), shape));
    this.#laterObs = new Float32Array(this.buffer.rows * (net.obsDim + 1)).fill(1);
    this.#laterTensor = wrap(this.#laterObs, shape);
    this.#cutOff = new CutOffRows(net.obsDim, this.buffer.rows);
  }

  /** Starts action and permutation streams of another seed. */
  reseed(seed: number): void {
    this.actRng = this.#stream(seed, streams.act);
    this.permuteRng = this.#stream(seed, streams.permute);
  }

  /** Step t: observes, samples, and writes the group's rows of `actions` [E,A]. */
  async act(env: VecEnv, t: number, actions: Int32Array): Promise<void> {
    const { rows } = this.buffer;
    if (t === 0) this.#cutOff.clear();
    this.buffer.observe(env, t, this.#act.logitBias);
    await this.#act.run(this.adam.feeds.parameters, this.#obsTensors[t] as OrtTensor);
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

  /** Step t, after the environment's: rewards, and the last observations of episodes that were cut off. */
  record(env: VecEnv, t: number): void {
    const { firstAgent, numAgents } = this.view;
    for (let i = t * this.buffer.rows, e = 0; e < env.numEnvs; e++) {
      const isCutOff = env.truncated[e] === 1 && env.terminated[e] === 0 && this.#config.bootstrapTruncated;
      for (let a = firstAgent; a < firstAgent + numAgents; a++, i++) {
        const row = e * env.numAgents + a;
        this.buffer.rewards[i] = env.rewards[row] as number;
        if (isCutOff) this.#cutOff.push(i, env.finalObs, row * env.obsDim);
      }
    }
  }

  /** Fills nextValues: the following step's value, or V of the last observation where an episode was cut off. */
  async bootstrap(env: VecEnv): Promise<void> {
    const { buffer } = this;
    const last = buffer.values.length - buffer.rows;
    buffer.nextValues.set(buffer.values.subarray(buffer.rows));
    copyObs(env.obs, env, this.view, this.#laterObs);
    await this.#act.run(this.adam.feeds.parameters, this.#laterTensor);
    this.#writeValues(buffer.nextValues.subarray(last));
    for (let start = 0; start < this.#cutOff.count; start += buffer.rows) {
      await this.#valueCutOff(start, Math.min(buffer.rows, this.#cutOff.count - start));
    }
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
    if (this.#config.valueNorm) this.valueNorm.update(this.buffer.returns);
  }

  /** Deals the rollout into the minibatches of one pass. */
  deal(): void {
    this.#minibatches.deal(this.buffer, this.permuteRng, {
      returnMean: this.valueNorm.mean,
      returnDeviation: this.valueNorm.deviation,
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

  /** 1 - Var(returns - values) / Var(returns): 1 is a perfect critic, 0 one no better than the mean. */
  explainedVariance(): number {
    const { returns, values } = this.buffer;
    let [sum, squares, errorSum, errorSquares] = [0, 0, 0, 0];
    for (let i = 0; i < returns.length; i++) {
      const value = returns[i] as number;
      const error = value - (values[i] as number);
      sum += value;
      squares += value * value;
      errorSum += error;
      errorSquares += error * error;
    }
    const n = returns.length;
    const total = squares / n - (sum / n) ** 2;
    return total > 0 ? 1 - (errorSquares / n - (errorSum / n) ** 2) / total : Number.NaN;
  }

  async dispose(): Promise<void> {
    await this.#act.dispose();
    await this.#train.dispose();
  }

  async #valueCutOff(start: number, count: number): Promise<void> {
    this.#cutOff.copyTo(this.#laterObs, start, count);
    await this.#act.run(this.adam.feeds.parameters, this.#laterTensor);
    const { mean, deviation } = this.valueNorm;
    for (let i = 0; i < count; i++) {
      const value = (this.#act.values[i] as number) * deviation + mean;
      this.buffer.nextValues[this.#cutOff.indexOf(start + i)] = value;
    }
  }

  /** Values of the last run, brought to reward units. */
  #writeValues(target: Float32Array): void {
    const { mean, deviation } = this.valueNorm;
    for (let i = 0; i < target.length; i++) {
      target[i] = (this.#act.values[i] as number) * deviation + mean;
    }
  }

  #stream(seed: number, stream: number): CounterRng {
    return new CounterRng(BigInt(seed), this.#index * streamsPerGroup + stream);
  }
}

/** Rows per gradient step when a rollout is cut into as few, as even parts of at most `limit` rows as possible. */
function evenMinibatch(rolloutRows: number, limit: number): number {
  return Math.max(2, Math.ceil(rolloutRows / Math.ceil(rolloutRows / limit)));
}
