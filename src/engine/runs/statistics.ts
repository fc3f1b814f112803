import type { ArmSummary } from '../../shared/contract/runs.ts';
import { CounterRng } from '../../shared/std/rng.ts';

/** Resamples of a bootstrap interval, and the seed of its draws: the same study always shows the same figures. */
const numResamples = 2000;
const resampleSeed = 0x67796d77n;

/** Scores of one arm by seed. */
export interface ArmScores {
  readonly name: string;
  /** Every seed of the arm, finished or not. */
  readonly seeds: readonly number[];
  readonly scores: ReadonlyMap<number, number>;
}

/**
 * Interquartile mean: the mean of what is left after a quarter of the values (rounded down) is cut off at each end.
 * Source: Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice", 2021.
 */
export function interquartileMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  return mean(sorted.slice(cut, sorted.length - cut));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Percentile bootstrap, 95 %: seeds are drawn with replacement, and the statistic is taken of each draw. */
export function bootstrapInterval(
  values: readonly number[],
  statistic: (sample: readonly number[]) => number,
): { low: number; high: number } {
  const rng = new CounterRng(resampleSeed, 0);
  const resampled = Array.from({ length: numResamples }, () =>
    statistic(values.map(() => values[rng.nextBelow(values.length)] ?? Number.NaN)),
  ).sort((a, b) => a - b);
  return { low: quantile(resampled, 0.025), high: quantile(resampled, 0.975) };
}

function quantile(sorted: readonly number[], q: number): number {
  const position = q * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/**
 * Every arm's final objective over its finished seeds, and its difference to the first arm over the seeds both have
 * finished. Intervals need two seeds at least: a single one gives low = high = its value.
 */
export function summarizeArms(arms: readonly ArmScores[], better: 'higher' | 'lower'): ArmSummary[] {
  const baseline = arms[0];
  return arms.map((arm) => ({
    name: arm.name,
    seeds: [...arm.seeds],
    objective: summarizeScores([...arm.scores.values()]),
    vsBaseline: baseline === undefined || arm === baseline ? null : comparePaired(arm, baseline, better),
  }));
}

function summarizeScores(scores: readonly number[]): ArmSummary['objective'] {
  if (scores.length === 0) return null;
  return { iqm: interquartileMean(scores), ...bootstrapInterval(scores, interquartileMean) };
}

/** Mean paired difference (arm − baseline), and the share of seeds in which the arm is better, ties counted half. */
function comparePaired(
  arm: ArmScores,
  baseline: ArmScores,
  better: 'higher' | 'lower',
): ArmSummary['vsBaseline'] {
  const differences = arm.seeds.flatMap((seed) => {
    const own = arm.scores.get(seed);
    const other = baseline.scores.get(seed);
    return own === undefined || other === undefined ? [] : [own - other];
  });
  if (differences.length === 0) return null;
  const sign = better === 'higher' ? 1 : -1;
  const wins = differences.map((difference) => (difference === 0 ? 0.5 : difference * sign > 0 ? 1 : 0));
  return {
    difference: mean(differences),
    ...bootstrapInterval(differences, mean),
    probabilityOfImprovement: mean(wins),
  };
}

/** Arms that beat the first one: the whole interval of the paired difference lies on the better side. */
export function findWinners(arms: readonly ArmSummary[], better: 'higher' | 'lower'): string[] {
  return arms
    .filter(({ vsBaseline, seeds }) => {
      if (vsBaseline === null || seeds.length < 2) return false;
      return better === 'higher' ? vsBaseline.low > 0 : vsBaseline.high < 0;
    })
    .map((arm) => arm.name);
}
