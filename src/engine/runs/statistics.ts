import type { ArmSummary } from '../../shared/contract/runs.ts';
import { CounterRng } from '../../shared/std/rng.ts';
import {
  bootstrapInterval,
  type Interval,
  mean,
  pairedDifferences,
  probabilityOfImprovement,
  stratifiedInterval,
} from '../../shared/std/statistics.ts';

/** Seed of the resamples' draws: the same study always shows the same figures. */
export const resampleSeed = 0x67796d77n;

/** Scores of one arm by seed. */
export interface ArmScores extends Pick<ArmSummary, 'coach'> {
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

/**
 * Every arm's final objective over its finished seeds, and its difference to the first arm over the seeds both have
 * finished. Intervals are over seeds (pairs of seeds for the difference): the range of up to six, a bootstrap of more; a
 * single one has none, and shows low = high = its value.
 */
export function summarizeArms(arms: readonly ArmScores[], better: 'higher' | 'lower'): ArmSummary[] {
  const baseline = arms[0];
  return arms.map((arm) => ({
    name: arm.name,
    coach: arm.coach,
    seeds: [...arm.seeds],
    objective: summarizeScores(arm.scores),
    vsBaseline:
      baseline === undefined || arm === baseline ? null : comparePaired(arm.scores, baseline.scores, better),
  }));
}

type Statistic = (sample: readonly number[]) => number;

/** Intervals by their values: views of a study are read far more often than its scores change. */
const known = new Map<Statistic, Map<string, Interval>>();
const maxKnown = 1000;

function intervalOf(values: readonly number[], statistic: Statistic): Interval {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return { low: only, high: only };
  const ofStatistic = known.get(statistic) ?? new Map<string, Interval>();
  known.set(statistic, ofStatistic);
  const key = values.join(' ');
  const found = ofStatistic.get(key);
  if (found !== undefined) return found;
  const interval = bootstrapInterval(values, statistic, new CounterRng(resampleSeed, 0));
  if (ofStatistic.size >= maxKnown) ofStatistic.clear();
  ofStatistic.set(key, interval);
  return interval;
}

/** By seed, in whatever order a file names them: resamples draw by place, so the order is part of an interval. */
const inOrder = (scores: ArmScores['scores']): Map<number, number> =>
  new Map([...scores].sort(([a], [b]) => a - b));

/** Interquartile mean of scores with its interval; null where there is none. */
export function summarizeScores(scores: ArmScores['scores']): ArmSummary['objective'] {
  if (scores.size === 0) return null;
  const values = [...inOrder(scores).values()];
  return {
    iqm: interquartileMean(values),
    ...intervalOf(values, interquartileMean),
    numSeeds: values.length,
  };
}

/** Mean paired difference (arm − baseline), and the share of seeds in which the arm is better, ties counted half. */
export function comparePaired(
  arm: ArmScores['scores'],
  baseline: ArmScores['scores'],
  better: 'higher' | 'lower',
): ArmSummary['vsBaseline'] {
  const differences = pairedDifferences(inOrder(arm), baseline);
  if (differences.length === 0) return null;
  return {
    difference: mean(differences),
    ...intervalOf(differences, mean),
    numPairs: differences.length,
    probabilityOfImprovement: probabilityOfImprovement(differences, better),
  };
}

/**
 * How often an arm is better than the baseline over several environments: the mean over environments of the share of
 * seeds in which it is. The interval is a bootstrap at 95 % that draws seeds anew within every environment
 * (stratified), expanded for the fewest seeds of one; null where an environment has fewer than three pairs, or there
 * are fewer than seven in all.
 *
 * Source: Agarwal et al., "Deep reinforcement learning at the edge of the statistical precipice", 2021.
 * Requires: at least one environment, each with at least one pair.
 */
export function improvementOver(
  strata: readonly (readonly number[])[],
  better: 'higher' | 'lower',
): { readonly probability: number; readonly interval: Interval | null; readonly numPairs: number } {
  const statistic = (drawn: readonly (readonly number[])[]): number =>
    mean(drawn.map((differences) => probabilityOfImprovement(differences, better)));
  const sizes = strata.map((differences) => differences.length);
  const numPairs = sizes.reduce((sum, size) => sum + size, 0);
  const isEnough = Math.min(...sizes) >= fewestPerStratum && numPairs >= fewestForBootstrap;
  const interval = isEnough ? stratifiedInterval(strata, statistic, new CounterRng(resampleSeed, 1)) : null;
  return { probability: statistic(strata), interval, numPairs };
}

const fewestPerStratum = 3;
const fewestForBootstrap = 7;
