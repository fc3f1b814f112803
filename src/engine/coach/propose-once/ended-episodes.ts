import type { VecEnv } from '../../../shared/rl/vec-env.ts';

type PerAgent = Record<string, Record<string, number>>;

/** Means per agent over episodes; what has no value is left out. */
export interface EpisodeMeans {
  readonly returns: Readonly<Record<string, number>>;
  readonly metrics: PerAgent;
  readonly components: PerAgent;
}

/** Sums over the episodes that end in a batch, whenever each of its copies does. */
export class EndedEpisodes {
  readonly #env: VecEnv;
  readonly #agents: readonly string[];
  readonly #returns: Sums;
  readonly #components: Sums;
  readonly #metrics: Sums;

  constructor(env: VecEnv) {
    const { numAgents } = env;
    this.#env = env;
    this.#agents = env.manifest.groups
      .toSorted((a, b) => a.firstAgent - b.firstAgent)
      .flatMap((group) => group.agents);
    this.#returns = new Sums(numAgents);
    this.#components = new Sums(numAgents * env.numComponents);
    this.#metrics = new Sums(numAgents * env.metrics.length);
  }

  /** Takes in the copies that ended in the step just taken. */
  observe(): void {
    const { numEnvs, terminated, truncated, episodeReturn, episodeComponents, episodeMetrics } = this.#env;
    for (let copy = 0; copy < numEnvs; copy++) {
      if (terminated[copy] === 0 && truncated[copy] === 0) continue;
      this.#returns.add(episodeReturn, copy);
      this.#components.add(episodeComponents, copy);
      this.#metrics.add(episodeMetrics, copy);
    }
  }

  /** The means since the last call. */
  take(): EpisodeMeans {
    const [returns = {}] = this.#means(this.#returns, 1);
    const components = this.#means(this.#components, this.#env.numComponents);
    const metrics = this.#means(this.#metrics, this.#env.metrics.length);
    return {
      returns,
      components: nameRows(this.#env.componentNames, components),
      metrics: nameRows(
        this.#env.metrics.map(({ name }) => name),
        metrics,
      ),
    };
  }

  /** Per column: agent -> mean. */
  #means(sums: Sums, width: number): Record<string, number>[] {
    const means = sums.take();
    return Array.from({ length: width }, (_, column) => {
      const values = this.#agents.map(
        (agent, row) => [agent, means[row * width + column] ?? Number.NaN] as const,
      );
      return Object.fromEntries(values.filter(([, value]) => !Number.isNaN(value)));
    });
  }
}

function nameRows(names: readonly string[], rows: readonly Record<string, number>[]): PerAgent {
  const named = names.map((name, index) => [name, rows[index] ?? {}] as const);
  return Object.fromEntries(named.filter(([, row]) => Object.keys(row).length > 0));
}

/** Sums of columns over rows; NaN is no value. */
class Sums {
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(width: number) {
    this.#sums = new Float64Array(width);
    this.#counts = new Float64Array(width);
  }

  add(rows: Float64Array, row: number): void {
    for (let i = 0; i < this.#sums.length; i++) {
      const value = rows[row * this.#sums.length + i] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      this.#sums[i] = (this.#sums[i] ?? 0) + value;
      this.#counts[i] = (this.#counts[i] ?? 0) + 1;
    }
  }

  /** The means, NaN where there was no value; begins anew. */
  take(): Float64Array {
    const means = this.#sums.map((sum, i) => sum / (this.#counts[i] ?? 0));
    this.#sums.fill(0);
    this.#counts.fill(0);
    return means;
  }
}
