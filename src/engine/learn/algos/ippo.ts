/**
 * IPPO: independent proximal policy optimisation, one policy per agent group.
 * Papers: Schulman et al. 2017, "Proximal Policy Optimization Algorithms"; de Witt et al. 2020, "Is Independent Learning
 * All You Need in the StarCraft Multi-Agent Challenge?".
 *
 * The loop, per iteration:
 *   1. E copies take T steps; every group samples from its own actor on its own observations.
 *   2. Values of what followed each step: the next step's, or that of the last observation where time ran out.
 *   3. GAE gives advantages and returns.
 *   4. updateEpochs passes over the rollout in shuffled minibatches: clipped surrogate, squared value error, entropy.
 *   5. Each minibatch is one run of an ONNX graph that ends in Adam.
 *
 * Taken from CleanRL: orthogonal initialisation, tanh networks, advantage normalisation per minibatch, global gradient
 * norm, Adam's ε of 1e-5. From MAPPO: value normalisation. Left out: value clipping, early stopping on KL, observation
 * normalisation, learning from scripted groups. Agents of a group share one network and see only their own observation.
 * Differs: time-outs bootstrap from the last observation; the reference IPPO treats them as terminal.
 *
 * More, with results: docs/learners/ippo.md
 */
import { createHash } from 'node:crypto';
import type {
  CancelSignal,
  ExportedPolicy,
  IterationStats,
  Learner,
  MetricValue,
} from '../../../shared/rl/learner.ts';
import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { LearnerOptions } from '../create-learner.ts';
import { bytesOf } from '../data/checkpoint.ts';
import { EpisodeStats } from '../data/episode-stats.ts';
import { exportActor } from './export-actor.ts';
import { type EpisodeEnds, IppoGroup } from './ippo-group.ts';
import { decodeBranch, decodeLearner, encodeBranch, encodeLearner } from './ippo-state.ts';
import { learnedGroups, requireSameShapes } from './learned-groups.ts';
import { stepStatistics } from './ppo-graphs.ts';
import type { StepStatistics } from './train-session.ts';

/**
 * Creates the learner and starts the copies at episode 0 of the stream `seed`, whatever stream they were created with.
 * Throws: RangeError naming the setting, when the configuration or the environment does not fit.
 * Cost: two ONNX Runtime sessions per group, 0.1-0.3 s.
 */
export async function createIppo(options: LearnerOptions<OnPolicyConfig>): Promise<Learner> {
  const groups: IppoGroup[] = [];
  for (const [index, group] of learnedGroups(options.env).entries()) {
    groups.push(await IppoGroup.create(group, index, options.config, options.seed));
  }
  return new Ippo(options, groups);
}

class Ippo implements Learner {
  readonly numSteps: number;
  readonly #config: OnPolicyConfig;
  readonly #totalSteps: number;
  readonly #groups: readonly IppoGroup[];
  readonly #seed: number;
  #env: VecEnv;
  #trainedSteps = 0;
  /** The first episode of the stream that no copy has begun. */
  #nextEpisode = 0;
  /** [E,A] i32 */
  readonly #actions: Int32Array;
  /** [T,E] u8 each */
  readonly #ends: EpisodeEnds;
  /** Last finite loss statistics per group, for the report of a failure. */
  readonly #lastFinite = new Map<string, StepStatistics>();

  constructor(
    { env, config, seed, totalSteps }: LearnerOptions<OnPolicyConfig>,
    groups: readonly IppoGroup[],
  ) {
    this.numSteps = config.numEnvs * config.numSteps;
    this.#config = config;
    this.#totalSteps = totalSteps ?? Number.POSITIVE_INFINITY;
    this.#groups = groups;
    this.#seed = seed;
    this.#env = env;
    this.#actions = new Int32Array(env.numEnvs * env.numAgents);
    this.#ends = {
      terminated: new Uint8Array(this.numSteps),
      truncated: new Uint8Array(this.numSteps),
    };
    this.#startCopies(seed);
  }

  get trainedSteps(): number {
    return this.#trainedSteps;
  }

  async iterate(signal?: CancelSignal): Promise<IterationStats> {
    const { annealLr, updateEpochs } = this.#config;
    const progress = annealLr ? this.#trainedSteps / this.#totalSteps : 0;
    const learningRate = this.#config.learningRate * Math.max(1 - progress, 0);

    const episodes = await this.#collect(signal);
    for (const group of this.#groups) {
      await group.bootstrap(this.#env);
      group.estimateAdvantages(this.#ends);
    }
    const losses = new Map(this.#groups.map((group) => [group, new MeanStatistics()]));
    for (let epoch = 0; epoch < updateEpochs; epoch++) {
      for (const group of this.#groups) {
        group.deal();
        for (let minibatch = 0; minibatch < group.numMinibatches; minibatch++) {
          throwIfAborted(signal);
          const statistics = await group.update(minibatch, learningRate);
          this.#requireFinite(group, statistics);
          losses.get(group)?.add(statistics);
        }
      }
    }
    this.#trainedSteps += this.numSteps;
    const metrics = [
      ...episodes.summary(),
      { key: 'charts/learning_rate', value: learningRate },
      ...lossMetrics(losses),
    ];
    return { steps: this.numSteps, metrics };
  }

  async #collect(signal: CancelSignal | undefined): Promise<EpisodeStats> {
    const env = this.#env;
    const episodes = new EpisodeStats(env, this.#groups);
    env.setTrainingSteps(this.#trainedSteps);
    for (let t = 0; t < this.#config.numSteps; t++) {
      throwIfAborted(signal);
      for (const group of this.#groups) await group.act(env, t, this.#actions);
      env.step(this.#actions);
      this.#noteBegun();
      for (const group of this.#groups) group.record(env, t);
      this.#ends.terminated.set(env.terminated, t * env.numEnvs);
      this.#ends.truncated.set(env.truncated, t * env.numEnvs);
      episodes.record();
    }
    return episodes;
  }

  #requireFinite(group: IppoGroup, statistics: StepStatistics): void {
    const metric = stepStatistics.find((name) => !Number.isFinite(statistics[name]));
    if (metric === undefined) {
      this.#lastFinite.set(group.name, statistics);
      return;
    }
    const iteration = Math.round(this.#trainedSteps / this.numSteps);
    const last = this.#lastFinite.get(group.name) ?? null;
    throw new AppError(
      'learner.nonfinite',
      `Learning of group "${group.name}" broke down in iteration ${iteration}: ${metric} became ` +
        `${statistics[metric]}. Resume from a checkpoint with a lower learning rate, or look for a reward that grows ` +
        'without bound.',
      { data: { iteration, group: group.name, metric, value: String(statistics[metric]), last } },
    );
  }

  setEnvironment(env: VecEnv, options: { readonly seed?: number } = {}): void {
    requireSameShapes(env, this.#env);
    this.#env = env;
    if (options.seed !== undefined) {
      for (const group of this.#groups) group.reseed(options.seed);
    }
    this.#startCopies(options.seed ?? this.#seed);
  }

  #startCopies(seed: number): void {
    this.#env.reset(BigInt(seed), this.#nextEpisode);
    this.#nextEpisode += this.#env.numEnvs;
  }

  /** A copy that ended episode k is in k + E now. */
  #noteBegun(): void {
    const { numEnvs, terminated, truncated, endedEpisode } = this.#env;
    for (let e = 0; e < numEnvs; e++) {
      if (!terminated[e] && !truncated[e]) continue;
      this.#nextEpisode = Math.max(this.#nextEpisode, (endedEpisode[e] as number) + numEnvs + 1);
    }
  }

  serialize(): Uint8Array {
    const counters = { trainedSteps: this.#trainedSteps, nextEpisode: this.#nextEpisode };
    return encodeLearner(this.#groups, this.#config, counters, this.#env);
  }

  restore(bytes: Uint8Array): void {
    const counters = decodeLearner(bytes, this.#groups, this.#config, this.#env);
    this.#trainedSteps = counters.trainedSteps;
    this.#nextEpisode = counters.nextEpisode;
  }

  exportState(): Uint8Array {
    return encodeBranch(this.#groups, this.#config);
  }

  importState(bytes: Uint8Array): void {
    decodeBranch(bytes, this.#groups, this.#config);
  }

  parameterHash(): string {
    const hash = createHash('sha256');
    for (const group of this.#groups) hash.update(bytesOf(group.adam.parameters));
    return hash.digest('hex');
  }

  policies(): ExportedPolicy[] {
    return this.#groups.map((group) => ({
      group: group.name,
      onnx: exportActor(group.net, group.adam.parameters, this.#env.manifest, group.name, this.#config),
    }));
  }

  async dispose(): Promise<void> {
    for (const group of this.#groups) await group.dispose();
  }
}

function throwIfAborted(signal: CancelSignal | undefined): void {
  if (signal?.aborted) throw new AppError('run.cancelled', 'Training was cancelled inside an iteration.');
}

/** Means over the minibatches of one iteration. */
class MeanStatistics {
  readonly #sums = new Map<string, number>();
  #count = 0;

  add(statistics: StepStatistics): void {
    this.#count++;
    for (const [name, value] of Object.entries(statistics)) {
      this.#sums.set(name, (this.#sums.get(name) ?? 0) + value);
    }
  }

  means(): [string, number][] {
    return [...this.#sums].map(([name, sum]) => [name, sum / this.#count]);
  }
}

/** `losses/x` is the mean over groups weighted by agents; with several groups, `losses/x/<group>` too. */
function lossMetrics(losses: ReadonlyMap<IppoGroup, MeanStatistics>): MetricValue[] {
  const perGroup = [...losses].map(([group, statistics]) => ({
    name: group.name,
    agents: group.view.numAgents,
    values: [...statistics.means(), ['explained_variance', group.explainedVariance()] as const],
  }));
  const numAgents = perGroup.reduce((sum, { agents }) => sum + agents, 0);
  const keys = perGroup[0]?.values.map(([key]) => key) ?? [];
  return keys.flatMap((key, i) => {
    const mean =
      perGroup.reduce((sum, { agents, values }) => sum + agents * (values[i]?.[1] ?? 0), 0) / numAgents;
    const each = perGroup.map(({ name, values }) => ({
      key: `losses/${key}/${name}`,
      value: values[i]?.[1] ?? 0,
    }));
    return [{ key: `losses/${key}`, value: mean }, ...(perGroup.length > 1 ? each : [])].filter(({ value }) =>
      Number.isFinite(value),
    );
  });
}
