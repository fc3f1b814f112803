import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import type { PlaybackEnv, RecordableEnv } from '../../../../shared/rl/playback.ts';
import { CounterRng } from '../../../../shared/std/rng.ts';
import { OpenEpisodes } from '../../data/open-episodes.ts';
import { EpisodeReplay } from '../../data/replay.ts';
import { RunningNorm } from '../../data/running-norm.ts';
import { worldKey } from '../../data/world-key.ts';
import { type OrtTensor, wrap } from '../../graph/session.ts';
import { AdamVectors } from '../../nn/adam-vectors.ts';
import { stairOf } from './batch-shape.ts';
import { EpisodeBatch } from './episode-batch.ts';
import { GroupActor } from './group-actor.ts';
import { isPlayable } from './is-playable.ts';
import { type ValueStatistics, ValueUpdater } from './updater.ts';
import { type CreateMixer, type ValueNetwork, valueNetwork } from './value-network.ts';

/** Streams of the seed. */
const streams = { initialise: 0, act: 1, sample: 2 } as const;

export interface TeamOptions {
  readonly env: RecordableEnv;
  readonly config: ValueConfig;
  readonly seed: number;
}

/** Numbers that say how far training has come; a checkpoint keeps them. */
export interface TeamCounters {
  trainedSteps: number;
  /** The first episode of the stream that no copy has begun. */
  nextEpisode: number;
  /** Episodes finished, and gradient steps taken, since the target networks were last copied. */
  sinceCopy: number;
  /** Gradient steps that are due, with their fraction. */
  due: number;
}

/**
 * What a team of value learners owns: networks, optimiser, target, players, replay, random streams. The loop that drives it
 * is in vdn.ts and qmix.ts; the methods here are its steps, in order.
 */
export class ValueTeam {
  readonly net: ValueNetwork;
  readonly config: ValueConfig;
  readonly vectors: AdamVectors;
  /** [P] f32. */
  readonly target: Float32Array;
  readonly actors: readonly GroupActor[];
  readonly replay: EpisodeReplay;
  readonly open: OpenEpisodes;
  readonly norms: { readonly state: RunningNorm; readonly reward: RunningNorm };
  readonly counters: TeamCounters = { trainedSteps: 0, nextEpisode: 0, sinceCopy: 0, due: 0 };
  actRng: CounterRng;
  sampleRng: CounterRng;
  /** Dynamics under which the replay was recorded, as far as it was not forgotten. */
  world: string;
  readonly #seed: number;
  readonly #targetTensor: OrtTensor;
  readonly #batch: EpisodeBatch;
  readonly #updater: ValueUpdater;
  /** [E,A] i32 */
  readonly #actions: Int32Array;
  #env: RecordableEnv;
  #playback: PlaybackEnv;

  static async create(options: TeamOptions, createMixer: CreateMixer): Promise<ValueTeam> {
    const net = valueNetwork(options.env, options.config, createMixer);
    const actors: GroupActor[] = [];
    for (const group of net.groups) actors.push(await GroupActor.create(net, group, options.config.numEnvs));
    return new ValueTeam(options, net, actors);
  }

  private constructor({ env, config, seed }: TeamOptions, net: ValueNetwork, actors: readonly GroupActor[]) {
    this.net = net;
    this.config = config;
    this.actors = actors;
    this.#seed = seed;
    this.#env = env;
    const parameters = net.layout.initialise(new CounterRng(BigInt(seed), streams.initialise));
    this.vectors = new AdamVectors(parameters);
    this.target = parameters.slice();
    this.#targetTensor = wrap(this.target, [1, net.layout.size]);
    this.actRng = new CounterRng(BigInt(seed), streams.act);
    this.sampleRng = new CounterRng(BigInt(seed), streams.sample);
    this.open = new OpenEpisodes(env, !config.relabel);
    this.replay = new EpisodeReplay(config.bufferEpisodes, this.open.shape);
    this.norms = { state: new RunningNorm(env.stateDim), reward: new RunningNorm(1) };
    this.#batch = new EpisodeBatch(net, config, this.open.shape, this.norms);
    this.#updater = new ValueUpdater(net, config);
    this.#actions = new Int32Array(env.numEnvs * env.numAgents);
    this.world = worldKey(env.spec);
    this.#playback = env.createPlayback(config.batchEpisodes);
    this.#startCopies(seed);
  }

  get env(): RecordableEnv {
    return this.#env;
  }

  /** Share of random actions now: falls linearly with env-steps. */
  get epsilon(): number {
    const { startE, endE, explorationSteps } = this.config;
    const progress = Math.min(this.counters.trainedSteps / explorationSteps, 1);
    return startE + (endE - startE) * progress;
  }

  /** One step of every copy. Episodes that end go to the replay. Returns how many did. */
  async play(): Promise<number> {
    const env = this.#env;
    const { epsilon } = this;
    if (this.config.stateNorm && this.net.mixer.needsState) {
      for (let e = 0; e < env.numEnvs; e++) this.norms.state.add(env.state, e * env.stateDim);
    }
    for (const actor of this.actors) {
      await actor.act(env, this.vectors.parameters, epsilon, this.actRng, this.#actions);
    }
    env.step(this.#actions);
    let finished = 0;
    this.open.record(env, this.#actions, (episode) => {
      this.replay.push(episode);
      finished++;
      const begun = episode.index + env.numEnvs + 1;
      this.counters.nextEpisode = Math.max(this.counters.nextEpisode, begun);
    });
    for (const actor of this.actors) actor.endEpisodes(env);
    this.counters.trainedSteps += env.numEnvs;
    return finished;
  }

  /** Gradient steps that are due after `finished` further episodes; fractions are carried over. */
  takeDue(finished: number): number {
    const { batchEpisodes, learningStarts, updatesPerEpisode, targetUnit } = this.config;
    if (targetUnit === 'episodes') this.counters.sinceCopy += finished;
    if (this.replay.count < Math.max(batchEpisodes, learningStarts)) return 0;
    this.counters.due += finished * updatesPerEpisode;
    const whole = Math.floor(this.counters.due + 1e-9);
    this.counters.due = Math.max(this.counters.due - whole, 0);
    return whole;
  }

  /** One gradient step on a batch drawn from the replay, then the target networks follow. */
  async update(learningRate: number): Promise<ValueStatistics> {
    const drawn = this.replay.sample(this.config.batchEpisodes, this.sampleRng);
    const episodes = drawn.sort((a, b) => b.length - a.length);
    const lengths = episodes.map(({ length }) => length);
    const shape = stairOf(lengths, this.#env.manifest.episodeLength);
    this.#playback.setTrainingSteps(this.counters.trainedSteps);
    this.#playback.setShapingWeights(this.#env.shapingWeights);
    const batch = this.#batch.load(episodes, shape, this.#playback);
    const statistics = await this.#updater.step(this.vectors, this.#targetTensor, batch, {
      numMoments: shape.numMoments,
      learningRate,
    });
    this.#followTarget();
    return statistics;
  }

  #followTarget(): void {
    const { targetNetworkFrequency, targetUnit, tau } = this.config;
    const { parameters } = this.vectors;
    if (targetNetworkFrequency === 0) {
      const { target } = this;
      for (let i = 0; i < target.length; i++) {
        target[i] = (1 - tau) * (target[i] as number) + tau * (parameters[i] as number);
      }
      return;
    }
    if (targetUnit === 'updates') this.counters.sinceCopy++;
    if (this.counters.sinceCopy < targetNetworkFrequency) return;
    this.target.set(parameters);
    this.counters.sinceCopy = 0;
  }

  /**
   * Goes on in another environment of the same shapes, at episodes never seen before. What the replay holds is valued anew
   * by the new program; where the dynamics are others too, a share of it is forgotten, and of the rest whatever cannot be
   * played in the new world.
   */
  move(env: RecordableEnv, seed: number | undefined): void {
    const world = worldKey(env.spec);
    const isOther = world !== this.world;
    this.world = world;
    this.#playback.dispose();
    this.#env = env;
    this.#playback = env.createPlayback(this.config.batchEpisodes);
    if (isOther) {
      this.replay.evict(this.config.evictShare);
      this.replay.retain((episode) => isPlayable(episode, this.#playback));
    }
    if (seed !== undefined) {
      this.actRng = new CounterRng(BigInt(seed), streams.act);
      this.sampleRng = new CounterRng(BigInt(seed), streams.sample);
    }
    this.#startCopies(seed ?? this.#seed);
  }

  #startCopies(seed: number): void {
    this.#env.reset(BigInt(seed), this.counters.nextEpisode);
    this.counters.nextEpisode += this.#env.numEnvs;
    this.open.begin(this.#env, BigInt(seed));
    for (const actor of this.actors) actor.begin();
  }

  async dispose(): Promise<void> {
    this.#playback.dispose();
    await this.#updater.dispose();
    for (const actor of this.actors) await actor.dispose();
  }
}
