import type { MetricValue } from '../../../../shared/rl/learner.ts';
import type { OnPolicyGroup } from './group.ts';
import type { StepStatistics } from './train-session.ts';

/** Means of the loss statistics over the minibatches of one iteration, per group. */
export class LossMeans {
  readonly #groups: readonly OnPolicyGroup[];
  readonly #sums: readonly Map<string, number>[];
  readonly #counts: number[];

  constructor(groups: readonly OnPolicyGroup[]) {
    this.#groups = groups;
    this.#sums = groups.map(() => new Map<string, number>());
    this.#counts = groups.map(() => 0);
  }

  add(group: OnPolicyGroup, statistics: StepStatistics): void {
    const i = this.#groups.indexOf(group);
    const sums = this.#sums[i] as Map<string, number>;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    for (const [name, value] of Object.entries(statistics)) sums.set(name, (sums.get(name) ?? 0) + value);
  }

  /** `losses/x` is the mean over groups weighted by agents; with several groups, `losses/x/<group>` too. */
  metrics(): MetricValue[] {
    const perGroup = this.#groups.map((group, i) => ({
      name: group.name,
      agents: group.view.numAgents,
      values: [
        ...[...(this.#sums[i] as Map<string, number>)].map(
          ([name, sum]) => [name, sum / (this.#counts[i] as number)] as const,
        ),
        ['explained_variance', explainedVariance(group.buffer)] as const,
      ],
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
      return [{ key: `losses/${key}`, value: mean }, ...(perGroup.length > 1 ? each : [])].filter(
        ({ value }) => Number.isFinite(value),
      );
    });
  }
}

/** 1 - Var(returns - values) / Var(returns): 1 is a perfect critic, 0 one no better than the mean; NaN: all returns alike. */
function explainedVariance({ returns, values }: OnPolicyGroup['buffer']): number {
  let [sum, squares, errorSum, errorSquares] = [0, 0, 0, 0];
  for (let i = 0; i < returns.length; i++) {
    const value = returns[i] as number;
    const error = value - (values[i] as number);
    sum += value;
    squares += value * value;
    errorSum += error;
    errorSquares += error * error;
  }
  const n = returns.length;
  const total = squares / n - (sum / n) ** 2;
  return total > 0 ? 1 - (errorSquares / n - (errorSum / n) ** 2) / total : Number.NaN;
}
