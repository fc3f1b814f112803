import type { Environment, Reward } from '../../../src/engine/edl/generated/ast.ts';
import type { Gifts, Sample } from '../edl-reference/outcome.ts';
import { declarationsOf } from '../edl-reference/phases.ts';
import { numberOf } from '../edl-reference/state-view.ts';

/** What an episode of one copy comes to: sums of components as they entered the reward, folds of metrics. */
export class EpisodeLedger {
  readonly #sums = new Map<string, number[]>();
  readonly #samples = new Map<string, number[][]>();
  readonly #limits: ReadonlyMap<string, number>;
  readonly #numAgents: number;

  constructor(ast: Environment, nominalReturn: number, numAgents: number) {
    this.#limits = limitsOf(ast, nominalReturn);
    this.#numAgents = numAgents;
  }

  /** Adds what was given in a step; returns what of it entered the rewards, by component and agent. */
  give(gifts: Gifts, weightOf: (component: string) => number): Gifts {
    const entered: Gifts = new Map();
    for (const [component, row] of gifts) {
      const sums = this.sumsOf(component);
      const limit = this.#limits.get(component) ?? Infinity;
      const weight = weightOf(component);
      const after = row.map((value, agent) =>
        Math.min(Math.max((sums[agent] ?? 0) + value * weight, -limit), limit),
      );
      entered.set(
        component,
        after.map((value, agent) => value - (sums[agent] ?? 0)),
      );
      this.#sums.set(component, after);
    }
    return entered;
  }

  measure(samples: readonly Sample[]): void {
    for (const { metric, agent, value } of samples) {
      const rows = this.#samples.get(metric) ?? Array.from({ length: this.#numAgents }, () => []);
      rows[agent]?.push(value);
      this.#samples.set(metric, rows);
    }
  }

  /** Per agent. */
  sumsOf(component: string): readonly number[] {
    return this.#sums.get(component) ?? new Array<number>(this.#numAgents).fill(0);
  }

  /** A metric's value for an agent; NaN without a sample. */
  fold(metric: string, fold: string, agent: number): number {
    const values = this.#samples.get(metric)?.[agent] ?? [];
    const [first, ...rest] = values;
    if (first === undefined) return Number.NaN;
    const total = rest.reduce((a, b) => a + b, first);
    switch (fold) {
      case 'sum':
        return total;
      case 'mean':
        return total / values.length;
      case 'min':
        return Math.min(...values);
      case 'max':
        return Math.max(...values);
      default:
        return values.at(-1) ?? Number.NaN;
    }
  }
}

function limitsOf(ast: Environment, nominalReturn: number): Map<string, number> {
  const share = (value: string): number => (numberOf(value) / 100) * nominalReturn;
  const limits = new Map<string, number>();
  for (const node of declarationsOf(ast, 'Reward')) {
    const limit = limitOf(node);
    if (limit !== undefined) limits.set(node.name, share(limit));
  }
  for (const node of declarationsOf(ast, 'Constraint')) {
    if (node.limit !== undefined) limits.set(node.name, share(node.limit.value));
  }
  return limits;
}

function limitOf(reward: Reward): string | undefined {
  const isPotential = reward.options.some(({ $type }) => $type === 'Potential');
  const limit = reward.options.find((option) => option.$type === 'Limit');
  return isPotential ? undefined : limit?.value;
}
