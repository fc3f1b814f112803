import type { IterationStats } from '../../../../shared/rl/learner.ts';
import type { OnPolicyConfig } from '../../../../shared/rl/learner-config.ts';
import { stepsPerIteration } from '../../../../shared/rl/learner-config.ts';
import type { VecEnv } from '../../../../shared/rl/vec-env.ts';
import { AppError } from '../../../../shared/std/app-error.ts';
import type { LearnerOptions } from '../../create-learner.ts';
import { EpisodeStats } from '../../data/episode-stats.ts';
import { afterBreakdown } from '../after-breakdown.ts';
import { learningRateAt } from '../iteration.ts';
import { stepStatistics } from './graphs.ts';
import type { EpisodeEnds, OnPolicyGroup } from './group.ts';
import type { LossMeans } from './loss-means.ts';
import type { StepStatistics } from './train-session.ts';

/** What an algorithm's loop works with: the copies, the groups that learn, and the counters between iterations. */
export class OnPolicyRun {
  readonly config: OnPolicyConfig;
  readonly groups: readonly OnPolicyGroup[];
  /** [E,A] i32: what is played next. */
  readonly actions: Int32Array;
  /** [T,E] u8 each, of the rollout. */
  readonly ends: EpisodeEnds;
  env: VecEnv;
  trainedSteps = 0;
  /** The first episode of the stream that no copy has begun. */
  nextEpisode = 0;
  readonly #totalSteps: number;
  /** Last finite loss statistics per group, for the report of a failure. */
  readonly #lastFinite = new Map<string, StepStatistics>();

  constructor({ env, config, totalSteps }: LearnerOptions<OnPolicyConfig>, groups: readonly OnPolicyGroup[]) {
    this.config = config;
    this.groups = groups;
    this.env = env;
    this.actions = new Int32Array(env.numEnvs * env.numAgents);
    const size = stepsPerIteration(config);
    this.ends = { terminated: new Uint8Array(size), truncated: new Uint8Array(size) };
    this.#totalSteps = totalSteps ?? Number.POSITIVE_INFINITY;
  }

  /** In force in the coming iteration. */
  get learningRate(): number {
    return learningRateAt(this.config, this.trainedSteps, this.#totalSteps);
  }

  /** Starts the copies at the first episode that none has begun. */
  startCopies(seed: number): void {
    this.env.reset(BigInt(seed), this.nextEpisode);
    this.nextEpisode += this.env.numEnvs;
    for (const group of this.groups) group.startCopies();
  }

  /** Tells the copies how far training is; gives the counters of the rollout's episodes. */
  beginRollout(): EpisodeStats {
    this.env.setTrainingSteps(this.trainedSteps);
    return new EpisodeStats(this.env, this.groups);
  }

  /** Step t is taken: notes the copies that ended. */
  noteEnds(t: number, episodes: EpisodeStats): void {
    const { numEnvs, terminated, truncated, endedEpisode } = this.env;
    for (let e = 0; e < numEnvs; e++) {
      if (!terminated[e] && !truncated[e]) continue;
      // A copy that ended episode k is in k + E now.
      this.nextEpisode = Math.max(this.nextEpisode, (endedEpisode[e] as number) + numEnvs + 1);
    }
    this.ends.terminated.set(terminated, t * numEnvs);
    this.ends.truncated.set(truncated, t * numEnvs);
    episodes.record();
  }

  /** Throws: learner.nonfinite, with iteration, group, metric and the last finite values. */
  requireFinite(group: OnPolicyGroup, statistics: StepStatistics): void {
    const metric = stepStatistics.find((name) => !Number.isFinite(statistics[name]));
    if (metric === undefined) {
      this.#lastFinite.set(group.name, statistics);
      return;
    }
    const iteration = Math.round(this.trainedSteps / stepsPerIteration(this.config));
    const last = this.#lastFinite.get(group.name) ?? null;
    throw new AppError(
      'learner.nonfinite',
      `Learning of group "${group.name}" broke down in iteration ${iteration}: ${metric} became ` +
        `${statistics[metric]}. ${afterBreakdown}`,
      { data: { iteration, group: group.name, metric, value: String(statistics[metric]), last } },
    );
  }

  /** Counts the iteration and tells its metrics. */
  finish(learningRate: number, episodes: EpisodeStats, losses: LossMeans): IterationStats {
    const steps = stepsPerIteration(this.config);
    this.trainedSteps += steps;
    const metrics = [
      ...episodes.summary(),
      { key: 'charts/learning_rate', value: learningRate },
      ...losses.metrics(),
    ];
    return { steps, metrics };
  }
}
