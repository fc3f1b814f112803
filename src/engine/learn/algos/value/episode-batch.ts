import type { ValueConfig } from '../../../../shared/rl/learner-config.ts';
import type { PlaybackEnv } from '../../../../shared/rl/playback.ts';
import type { Episode, EpisodeShape } from '../../data/episode.ts';
import type { RunningNorm } from '../../data/running-norm.ts';
import { type OrtTensor, wrap } from '../../graph/session.ts';
import { illegalLogit } from '../../nn/categorical.ts';
import { type BatchShape, columnsOf, stairFeeds } from './batch-shape.ts';
import { groupInput } from './value-graphs.ts';
import { type TeamGroup, type ValueNetwork, writeInput } from './value-network.ts';

/** What is learned about the data along the way. */
export interface BatchNorms {
  readonly state: RunningNorm;
  readonly reward: RunningNorm;
}

type Feeds = Readonly<Record<string, OrtTensor>>;

/** Arrays of one group for up to so many moments; see `lossGraph` for their shapes. */
interface GroupArrays {
  readonly obs: Float32Array;
  readonly logitBias: Float32Array;
  readonly actions: Int32Array;
  readonly active: Float32Array;
}

/** Moment t of the batch: that of its first `count` episodes, in columns from `column` on of `total`. */
interface Moment {
  readonly t: number;
  readonly count: number;
  readonly column: number;
  readonly total: number;
}

/**
 * B recorded episodes, played again and laid side by side: the feeds of a gradient step. Arrays are as large as the largest
 * batch so far; a smaller one uses their beginnings.
 */
export class EpisodeBatch {
  readonly #net: ValueNetwork;
  readonly #config: ValueConfig;
  readonly #shape: EpisodeShape;
  readonly #norms: BatchNorms;
  #capacity = 0;
  #groups: readonly GroupArrays[] = [];
  #state = new Float32Array(0);
  /** rewards, discounts, carry, weights: [1,M] each. */
  #rows: readonly [Float32Array, Float32Array, Float32Array, Float32Array];
  #following = new Int32Array(0);
  // What playback reads: [B,W], [B], [B], [B,A,C], [B].
  readonly #next: Float64Array;
  readonly #seeds: BigUint64Array;
  readonly #episodes: Float64Array;
  readonly #base: Float32Array;
  readonly #ended: Uint8Array;

  constructor(net: ValueNetwork, config: ValueConfig, shape: EpisodeShape, norms: BatchNorms) {
    this.#net = net;
    this.#config = config;
    this.#shape = shape;
    this.#norms = norms;
    const count = config.batchEpisodes;
    this.#rows = [new Float32Array(0), new Float32Array(0), new Float32Array(0), new Float32Array(0)];
    this.#next = new Float64Array(count * shape.stateWords);
    this.#seeds = new BigUint64Array(count);
    this.#episodes = new Float64Array(count);
    this.#base = new Float32Array(count * shape.numAgents * shape.numBase);
    this.#ended = new Uint8Array(count);
  }

  /**
   * Plays the episodes again and fills the feeds, valid until the next call.
   * Requires: as many episodes as the batch takes, the longest first; `shape` is their stair.
   */
  load(episodes: readonly Episode[], shape: BatchShape, playback: PlaybackEnv): Feeds {
    const total = columnsOf(shape);
    this.#reserve(total);
    const numSteps = total - episodes.length;
    for (const [b, { states, seed, index }] of episodes.entries()) {
      this.#next.set(states.subarray(0, this.#shape.stateWords), b * this.#shape.stateWords);
      this.#seeds[b] = seed;
      this.#episodes[b] = index;
    }
    playback.begin(this.#next, this.#seeds, this.#episodes);
    let column = 0;
    for (const [t, count] of shape.widths.entries()) {
      const moment = { t, count, column, total };
      this.#writeMoment(episodes, moment, playback);
      if (t < shape.widths.length - 1) {
        this.#stage(episodes, t);
        playback.step(this.#next, this.#base, this.#ended);
      }
      this.#writeStep(episodes, moment, 1 / numSteps, playback);
      column += count;
    }
    if (this.#config.standardiseRewards) this.#standardise(total);
    return this.#feedsOf(shape);
  }

  /** What playback needs for step t of each episode; those that are over stay where they ended. */
  #stage(episodes: readonly Episode[], t: number): void {
    const { stateWords, numAgents, numBase } = this.#shape;
    const width = numAgents * numBase;
    this.#ended.fill(0);
    for (const [b, { length, states, base, terminated }] of episodes.entries()) {
      if (t >= length) break;
      this.#next.set(states.subarray((t + 1) * stateWords, (t + 2) * stateWords), b * stateWords);
      this.#base.set(base.subarray(t * width, (t + 1) * width), b * width);
      if (t === length - 1) this.#ended[b] = terminated ? 1 : 2;
    }
  }

  /** What was seen at a moment, and done then. */
  #writeMoment(episodes: readonly Episode[], moment: Moment, playback: PlaybackEnv): void {
    for (const [i, group] of this.#net.groups.entries()) {
      this.#writeGroup(group, this.#groups[i] as GroupArrays, episodes, moment, playback);
    }
    if (!this.#net.mixer.needsState) return;
    const { stateDim } = this.#net;
    const width = stateDim + 1;
    const first = moment.column * width;
    if (this.#config.stateNorm) {
      this.#norms.state.apply(playback.state, 0, this.#state, first, moment.count, width);
    }
    for (let b = 0; b < moment.count; b++) {
      const to = first + b * width;
      if (!this.#config.stateNorm) copyRow(playback.state, b * stateDim, this.#state, to, stateDim);
      this.#state[to + stateDim] = 1;
    }
  }

  #writeGroup(
    group: TeamGroup,
    arrays: GroupArrays,
    episodes: readonly Episode[],
    { t, count, column, total }: Moment,
    playback: PlaybackEnv,
  ): void {
    const { numAgents: crowd, obsWidth, actionWidth } = widthsOf(playback, this.#shape);
    const { firstAgent, numAgents, numActions } = group.view;
    const width = group.net.inputs + 1;
    const stride = total * numAgents;
    let row = column * numAgents;
    for (let b = 0; b < count; b++) {
      const { length, actions } = episodes[b] as Episode;
      for (let a = 0; a < numAgents; a++, row++) {
        const agent = firstAgent + a;
        const source = b * crowd + agent;
        const before = t === 0 ? -1 : (actions[(t - 1) * crowd + agent] as number);
        writeInput(group, playback.obs, source * obsWidth, before, a, arrays.obs, row * width);
        for (let k = 0; k < numActions; k++) {
          const isLegal = playback.availActions[source * actionWidth + k] === 1;
          arrays.logitBias[k * stride + row] = isLegal ? 0 : illegalLogit;
        }
        arrays.active[row] = playback.active[source] as number;
        arrays.actions[row] = t < length ? (actions[t * crowd + agent] as number) : 0;
      }
    }
  }

  /** Reward, discount and weight of the step that follows a moment; nothing after the last. */
  #writeStep(
    episodes: readonly Episode[],
    { t, count, column }: Moment,
    weight: number,
    playback: PlaybackEnv,
  ): void {
    const { gamma, tdLambda, bootstrapTruncated, relabel } = this.#config;
    const { numAgents } = this.#shape;
    const [rewards, discounts, carry, weights] = this.#rows;
    for (let b = 0; b < count; b++) {
      const { length, terminated, paid } = episodes[b] as Episode;
      const i = column + b;
      const isEnd = t === length - 1 && (terminated || !bootstrapTruncated);
      if (t >= length) rewards[i] = 0;
      else if (relabel) rewards[i] = this.#teamReward(playback.rewards, b * numAgents);
      else rewards[i] = this.#teamReward(paid, t * numAgents);
      discounts[i] = t >= length || isEnd ? 0 : gamma;
      carry[i] = t < length - 1 ? tdLambda : 0;
      weights[i] = t < length ? weight : 0;
      this.#following[i] = t < length ? i + count : i;
    }
  }

  /** Of the agents whose rewards stand in `paid` from row `first` on. */
  #teamReward(paid: Float32Array, first: number): number {
    const { rewardSum, rewardScale } = this.#config;
    let sum = 0;
    for (const { view } of this.#net.groups) {
      const own = first + view.firstAgent;
      for (let a = own; a < own + view.numAgents; a++) sum += paid[a] as number;
    }
    return (rewardScale * sum) / (rewardSum === 'mean' ? this.#net.numAgents : 1);
  }

  /** Takes the batch's rewards in, then brings them to the statistics' units; padding is left out of both. */
  #standardise(count: number): void {
    const [rewards, , , weights] = this.#rows;
    const { reward } = this.#norms;
    for (let i = 0; i < count; i++) if (weights[i] !== 0) reward.add(rewards, i);
    const [mean, deviation] = [reward.mean(0), Math.sqrt(reward.variance(0)) + 1e-8];
    for (let i = 0; i < count; i++) {
      if (weights[i] !== 0) rewards[i] = ((rewards[i] as number) - mean) / deviation;
    }
  }

  #reserve(moments: number): void {
    if (moments <= this.#capacity) return;
    this.#capacity = moments;
    this.#groups = this.#net.groups.map(({ net, view }) => ({
      obs: new Float32Array(moments * view.numAgents * (net.inputs + 1)),
      logitBias: new Float32Array(moments * view.numAgents * view.numActions),
      actions: new Int32Array(moments * view.numAgents),
      active: new Float32Array(moments * view.numAgents),
    }));
    this.#state = new Float32Array(this.#net.mixer.needsState ? moments * (this.#net.stateDim + 1) : 0);
    this.#rows = [
      new Float32Array(moments),
      new Float32Array(moments),
      new Float32Array(moments),
      new Float32Array(moments),
    ];
    this.#following = new Int32Array(moments);
  }

  #feedsOf(shape: BatchShape): Feeds {
    const { recurrent, dropInactive, tdLambda } = this.#config;
    const moments = columnsOf(shape);
    const part = (array: Float32Array | Int32Array, rows: number, columns: number): OrtTensor =>
      wrap(array.subarray(0, rows * columns), [rows, columns]);
    const ofGroups = this.#net.groups.flatMap((group, i): [string, OrtTensor][] => {
      const { obs, logitBias, actions, active } = this.#groups[i] as GroupArrays;
      const { numAgents, numActions } = group.view;
      const columns = moments * numAgents;
      return [
        [groupInput(group, 'obs'), part(obs, columns, group.net.inputs + 1)],
        [groupInput(group, 'logitBias'), part(logitBias, numActions, columns)],
        [groupInput(group, 'actions'), part(actions, 1, columns)],
        ...(dropInactive
          ? [[groupInput(group, 'active'), part(active, 1, columns)] as [string, OrtTensor]]
          : []),
      ];
    });
    const [rewards, discounts, carry, weights] = this.#rows.map((row) => part(row, 1, moments)) as [
      OrtTensor,
      OrtTensor,
      OrtTensor,
      OrtTensor,
    ];
    const { widths, spans } = stairFeeds(shape);
    return {
      ...Object.fromEntries(ofGroups),
      ...(this.#net.mixer.needsState && { state: part(this.#state, moments, this.#net.stateDim + 1) }),
      ...(recurrent && { widths: wrap(widths, [widths.length]), spans: wrap(spans, [spans.length]) }),
      following: wrap(this.#following.subarray(0, moments), [moments]),
      rewards,
      discounts,
      weights,
      ...(tdLambda > 0 && { carry }),
    };
  }
}

/** Numbers per row of what a playback writes. */
function widthsOf(
  { numEnvs, obs, availActions }: PlaybackEnv,
  { numAgents }: EpisodeShape,
): { numAgents: number; obsWidth: number; actionWidth: number } {
  const rows = numEnvs * numAgents;
  return { numAgents, obsWidth: obs.length / rows, actionWidth: availActions.length / rows };
}

function copyRow(source: Float32Array, from: number, target: Float32Array, to: number, width: number): void {
  for (let k = 0; k < width; k++) target[to + k] = source[from + k] as number;
}
