import { leadingGroup } from '../../shared/rl/environment-metrics.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';
import type { AgentEvaluation, EpisodeSeries, Evaluation, GroupEvaluation } from './types.ts';

/** Results of n fixed episodes from `first` on, one row each, whichever copy played them and when. */
export class EpisodeTable {
  readonly #env: VecEnv;
  readonly #episodes: number;
  readonly #first: number;
  readonly #isDone: Uint8Array;
  #numDone = 0;
  readonly #metricNames: readonly string[];
  /** [n,A], [n,A,C], [n,A,M] f64 */
  readonly #returns: Float64Array;
  readonly #components: Float64Array;
  readonly #metrics: Float64Array;

  constructor(env: VecEnv, episodes: number, first = 0) {
    const rows = episodes * env.numAgents;
    this.#env = env;
    this.#episodes = episodes;
    this.#first = first;
    this.#isDone = new Uint8Array(episodes);
    this.#metricNames = env.metrics.map((metric) => metric.name);
    this.#returns = new Float64Array(rows);
    this.#components = new Float64Array(rows * env.numComponents);
    this.#metrics = new Float64Array(rows * this.#metricNames.length);
  }

  get isComplete(): boolean {
    return this.#numDone === this.#episodes;
  }

  /** Takes in the copies that ended in the step just taken; episodes past the table are ignored. `onEnd` is told of all. */
  record(onEnd: (copy: number, isCounted: boolean) => void = () => {}): void {
    const env = this.#env;
    for (let e = 0; e < env.numEnvs; e++) {
      if (env.terminated[e] === 0 && env.truncated[e] === 0) continue;
      const episode = (env.endedEpisode[e] as number) - this.#first;
      const isCounted = episode >= 0 && episode < this.#episodes && this.#isDone[episode] === 0;
      onEnd(e, isCounted);
      if (!isCounted) continue;
      this.#isDone[episode] = 1;
      this.#numDone++;
      copyRow(env.episodeReturn, e, this.#returns, episode, env.numAgents);
      copyRow(env.episodeComponents, e, this.#components, episode, env.numAgents * env.numComponents);
      copyRow(env.episodeMetrics, e, this.#metrics, episode, env.numAgents * this.#metricNames.length);
    }
  }

  summarise(): Pick<Evaluation, 'groups' | 'metrics' | 'agents' | 'agentMetrics'> {
    const { manifest, spec } = this.#env;
    const leading = leadingGroup(manifest, spec);
    const groups = manifest.groups.map(
      (group) => [group.name, this.#summariseGroup(group.firstAgent, group.agents.length)] as const,
    );
    const agents = manifest.groups.flatMap((group) =>
      group.agents.map((name, a) => [name, this.#summariseAgent(group.firstAgent + a)] as const),
    );
    return {
      groups: Object.fromEntries(groups),
      metrics: this.#metricsOfAll(
        leading === undefined ? {} : (Object.fromEntries(groups)[leading.name]?.metrics ?? {}),
      ),
      agents: Object.fromEntries(agents),
      agentMetrics: this.#byMetric(new Map(agents)),
    };
  }

  /** Over all agents; a metric that is not per agent as the leading group has it. */
  #metricsOfAll(leading: GroupEvaluation['metrics']): Record<string, EpisodeSeries> {
    const all = Object.entries(this.#tableOfValues(0, this.#env.numAgents));
    const perAgent = new Map(this.#env.metrics.map((metric) => [metric.name, metric.perAgent]));
    return Object.fromEntries(
      all.map(([name, series]) => [name, perAgent.get(name) ? series : (leading[name] ?? series)]),
    );
  }

  #byMetric(agents: ReadonlyMap<string, AgentEvaluation>): Evaluation['agentMetrics'] {
    const perAgent = this.#env.metrics.filter((metric) => metric.perAgent);
    const tables = perAgent.map(({ name }) => {
      const values = [...agents].flatMap(([agent, { metrics }]) => {
        const value = metrics[name];
        return value === undefined ? [] : [[agent, value] as const];
      });
      return [name, Object.fromEntries(values)] as const;
    });
    return Object.fromEntries(tables);
  }

  #summariseGroup(first: number, count: number): GroupEvaluation {
    return {
      episodeReturn: this.#series(this.#returns, 1, 0, first, count),
      components: this.#table(this.#components, this.#env.componentNames, first, count),
      metrics: this.#tableOfValues(first, count),
    };
  }

  #summariseAgent(agent: number): AgentEvaluation {
    const { episodeReturn, components, metrics } = this.#summariseGroup(agent, 1);
    return { episodeReturn: episodeReturn.mean, components: means(components), metrics: means(metrics) };
  }

  #table(
    data: Float64Array,
    names: readonly string[],
    first: number,
    count: number,
  ): Record<string, EpisodeSeries> {
    return Object.fromEntries(
      names.map((name, column) => [name, this.#series(data, names.length, column, first, count)]),
    );
  }

  /** Metrics that have a value in any episode. */
  #tableOfValues(first: number, count: number): Record<string, EpisodeSeries> {
    const table = Object.entries(this.#table(this.#metrics, this.#metricNames, first, count));
    return Object.fromEntries(table.filter(([, { mean }]) => !Number.isNaN(mean)));
  }

  /** Mean over those of the agents first..first+count that have a value (NaN: none has), of one column of data [n,A,width], per episode. */
  #series(data: Float64Array, width: number, column: number, first: number, count: number): EpisodeSeries {
    const values = Float64Array.from({ length: this.#episodes }, (_, episode) => {
      const start = (episode * this.#env.numAgents + first) * width + column;
      return meanOfValues(data, start, start + count * width, width);
    });
    return { values, mean: meanOfValues(values, 0, values.length, 1) };
  }
}

/** Mean of every stride-th number from `start` to before `end`; NaN is no value, and the mean of none. */
function meanOfValues(data: Float64Array, start: number, end: number, stride: number): number {
  let sum = 0;
  let count = 0;
  for (let i = start; i < end; i += stride) {
    const value = data[i] as number;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

function copyRow(source: Float64Array, from: number, target: Float64Array, to: number, width: number): void {
  target.set(source.subarray(from * width, (from + 1) * width), to * width);
}

function means(table: Readonly<Record<string, EpisodeSeries>>): Record<string, number> {
  return Object.fromEntries(Object.entries(table).map(([name, series]) => [name, series.mean]));
}
