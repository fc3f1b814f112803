import type { VecEnv } from '../../shared/rl/vec-env.ts';
import type { ObservedState } from './checkpoint-file.ts';

/** Shape of what is kept of an episode. */
export interface WindowShape {
  readonly agents: readonly string[];
  readonly metrics: readonly string[];
  readonly components: readonly string[];
}

type PerAgent = Record<string, Record<string, number>>;

/** Metrics and reward components of the last episodes of a round, per agent. */
export class EpisodeWindow {
  static readonly capacity = 256;

  readonly #shape: WindowShape;
  /** [capacity, A*M + A*C] f64, a ring. */
  readonly #values: Float64Array;
  #count = 0;
  #next = 0;

  constructor(shape: WindowShape) {
    this.#shape = shape;
    this.#values = new Float64Array(EpisodeWindow.capacity * this.#rowLength);
  }

  static shapeOf(env: VecEnv): WindowShape {
    const agents = env.manifest.groups
      .toSorted((a, b) => a.firstAgent - b.firstAgent)
      .flatMap((group) => group.agents);
    const metrics = env.metrics.map((metric) => metric.name);
    return { agents, metrics, components: env.componentNames };
  }

  get #rowLength(): number {
    return this.#shape.agents.length * (this.#shape.metrics.length + this.#shape.components.length);
  }

  /** Takes up the episodes that ended in the last step, in the order of copies. Cost: none when none did. */
  observe(env: VecEnv): void {
    const numMetricValues = this.#shape.agents.length * this.#shape.metrics.length;
    const numComponentValues = this.#shape.agents.length * this.#shape.components.length;
    for (let copy = 0; copy < env.numEnvs; copy++) {
      if (env.terminated[copy] === 0 && env.truncated[copy] === 0) continue;
      const row = this.#next * this.#rowLength;
      this.#values.set(
        env.episodeMetrics.subarray(copy * numMetricValues, (copy + 1) * numMetricValues),
        row,
      );
      this.#values.set(
        env.episodeComponents.subarray(copy * numComponentValues, (copy + 1) * numComponentValues),
        row + numMetricValues,
      );
      this.#next = (this.#next + 1) % EpisodeWindow.capacity;
      this.#count = Math.min(this.#count + 1, EpisodeWindow.capacity);
    }
  }

  clear(): void {
    this.#count = 0;
    this.#next = 0;
  }

  /**
   * Means over the kept episodes that have a value: name -> agent -> value. Agents without one are left out, and so are
   * names that no agent has one for; both are empty while no episode has ended.
   */
  means(): { metrics: PerAgent; components: PerAgent } {
    const { agents, metrics, components } = this.#shape;
    return {
      metrics: this.#meansOf(metrics, 0),
      components: this.#meansOf(components, agents.length * metrics.length),
    };
  }

  #meansOf(names: readonly string[], offset: number): PerAgent {
    const { agents } = this.#shape;
    const table = names.map((name, index) => {
      const means = agents.map(
        (agent, a) => [agent, this.#meanAt(offset + a * names.length + index)] as const,
      );
      return [name, means.filter(([, mean]) => !Number.isNaN(mean))] as const;
    });
    return Object.fromEntries(
      table.filter(([, means]) => means.length > 0).map(([name, means]) => [name, Object.fromEntries(means)]),
    );
  }

  /** Mean of a column over the kept episodes that have a value; NaN when none has. */
  #meanAt(column: number): number {
    let sum = 0;
    let count = 0;
    for (let row = 0; row < this.#count; row++) {
      const value = this.#values[row * this.#rowLength + column] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return sum / count;
  }

  save(): ObservedState['window'] {
    return {
      values: this.#values.slice(0, this.#count * this.#rowLength),
      count: this.#count,
      next: this.#next,
    };
  }

  load(saved: ObservedState['window']): void {
    this.#values.set(saved.values);
    this.#count = saved.count;
    this.#next = saved.next;
  }
}
