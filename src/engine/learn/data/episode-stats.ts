import type { MetricValue } from '../../../shared/rl/learner.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import type { GroupView } from './rollout-buffer.ts';

/** Running sums over the episodes that ended in one iteration. */
export class EpisodeStats {
  readonly #env: VecEnv;
  readonly #groups: readonly { readonly name: string; readonly view: GroupView }[];
  readonly #componentNames: readonly string[];
  readonly #metricNames: readonly string[];
  readonly #isPerAgent: readonly boolean[];
  #episodes = 0;
  #length = 0;
  /** Sums over episodes: [A], [A,C], [A,M]. */
  readonly #returns: Float64Array;
  readonly #components: Float64Array;
  readonly #metrics: Float64Array;
  /** [A,M] episodes that had a value. */
  readonly #metricEpisodes: Float64Array;

  constructor(env: VecEnv, groups: readonly { readonly name: string; readonly view: GroupView }[]) {
    this.#env = env;
    this.#groups = groups;
    this.#componentNames = env.componentNames;
    this.#metricNames = env.metrics.map((metric) => metric.name);
    this.#isPerAgent = env.metrics.map((metric) => metric.perAgent);
    this.#returns = new Float64Array(env.numAgents);
    this.#components = new Float64Array(env.numAgents * this.#componentNames.length);
    this.#metrics = new Float64Array(env.numAgents * this.#metricNames.length);
    this.#metricEpisodes = new Float64Array(this.#metrics.length);
  }

  /** Takes in the copies that ended in the step just taken. */
  record(): void {
    const env = this.#env;
    for (let e = 0; e < env.numEnvs; e++) {
      if (env.terminated[e] === 0 && env.truncated[e] === 0) continue;
      this.#episodes++;
      this.#length += env.episodeLength[e] as number;
      addRow(this.#returns, env.episodeReturn, e);
      addRow(this.#components, env.episodeComponents, e);
      addValues(this.#metrics, this.#metricEpisodes, env.episodeMetrics, e);
    }
  }

  /**
   * Means over episodes and, per group, over its agents; empty when nothing ended. A metric is the mean over the agents that
   * have a value, one that is not per agent that of the first group that learns; one that nobody has is left out.
   */
  summary(): MetricValue[] {
    if (this.#episodes === 0) return [];
    const values: MetricValue[] = [{ key: 'charts/episodic_length', value: this.#length / this.#episodes }];
    for (const { name, view } of this.#groups) {
      values.push({ key: `charts/episodic_return/${name}`, value: this.#mean(this.#returns, view, 1, 0) });
      for (const [c, component] of this.#componentNames.entries()) {
        const value = this.#mean(this.#components, view, this.#componentNames.length, c);
        values.push({ key: `charts/component/${component}/${name}`, value });
      }
    }
    for (const [m, metric] of this.#metricNames.entries()) {
      const value = this.#meanMetric(m);
      if (!Number.isNaN(value)) values.push({ key: `charts/metric/${metric}`, value });
    }
    return values;
  }

  #mean(
    sums: Float64Array,
    { firstAgent, numAgents }: Pick<GroupView, 'firstAgent' | 'numAgents'>,
    width: number,
    column: number,
  ): number {
    let sum = 0;
    for (let a = firstAgent; a < firstAgent + numAgents; a++) sum += sums[a * width + column] as number;
    return sum / numAgents / this.#episodes;
  }

  #meanMetric(column: number): number {
    const width = this.#metricNames.length;
    const leading = this.#isPerAgent[column] ? undefined : this.#groups[0]?.view;
    const first = leading?.firstAgent ?? 0;
    const end = leading === undefined ? this.#env.numAgents : first + leading.numAgents;
    let sum = 0;
    let agents = 0;
    for (let i = first * width + column; i < end * width; i += width) {
      const episodes = this.#metricEpisodes[i] as number;
      if (episodes === 0) continue;
      sum += (this.#metrics[i] as number) / episodes;
      agents++;
    }
    return agents === 0 ? Number.NaN : sum / agents;
  }
}

/** sums [K] += rows [E,K][row]. */
function addRow(sums: Float64Array, rows: Float64Array, row: number): void {
  const offset = row * sums.length;
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + (rows[offset + i] as number);
}

/** As addRow for the numbers among them, which are counted; NaN is no value. */
function addValues(sums: Float64Array, counts: Float64Array, rows: Float64Array, row: number): void {
  const offset = row * sums.length;
  for (let i = 0; i < sums.length; i++) {
    const value = rows[offset + i] as number;
    if (Number.isNaN(value)) continue;
    sums[i] = (sums[i] as number) + value;
    counts[i] = (counts[i] as number) + 1;
  }
}
