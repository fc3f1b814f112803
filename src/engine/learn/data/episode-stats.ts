import type { MetricValue } from '../../../shared/rl/learner.ts';
import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import type { GroupView } from './rollout-buffer.ts';

/** Running sums over the episodes that ended in one iteration. */
export class EpisodeStats {
  readonly #env: VecEnv;
  readonly #groups: readonly { readonly name: string; readonly view: GroupView }[];
  readonly #componentNames: readonly string[];
  readonly #metricNames: readonly string[];
  #episodes = 0;
  #length = 0;
  /** Sums over agents: [A], [A,C], [A,M]. */
  readonly #returns: Float64Array;
  readonly #components: Float64Array;
  readonly #metrics: Float64Array;

  constructor(env: VecEnv, groups: readonly { readonly name: string; readonly view: GroupView }[]) {
    this.#env = env;
    this.#groups = groups;
    this.#componentNames = env.componentNames;
    this.#metricNames = env.manifest.metrics.map((metric) => metric.name);
    this.#returns = new Float64Array(env.numAgents);
    this.#components = new Float64Array(env.numAgents * this.#componentNames.length);
    this.#metrics = new Float64Array(env.numAgents * this.#metricNames.length);
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
      addRow(this.#metrics, env.episodeMetrics, e);
    }
  }

  /** Means over episodes and, per group, over its agents; empty when nothing ended. */
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
    const everyone = { firstAgent: 0, numAgents: this.#env.numAgents };
    for (const [m, metric] of this.#metricNames.entries()) {
      const value = this.#mean(this.#metrics, everyone, this.#metricNames.length, m);
      values.push({ key: `charts/metric/${metric}`, value });
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
}

/** sums [K] += rows [E,K][row]. */
function addRow(sums: Float64Array, rows: Float64Array, row: number): void {
  const offset = row * sums.length;
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + (rows[offset + i] as number);
}
