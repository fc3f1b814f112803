import type { CounterRng } from './rng.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

const resamples = 4000;

/** Most values whose interval is their whole range. */
const mostForRange = 6;

const nominalCoverage = 0.95;

/** 97.5 % quantiles of Student's t for 1 … 30 degrees of freedom. */
const studentQuantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;

/**
 * Interval of a statistic that lies within the range of its values. Up to six values: that range, whatever the
 * statistic, because resamples of so few tell nothing about their tails. More: the bootstrap percentile interval at
 * 95 %, expanded for the sample's size to the quantile Φ(−√(n/(n−1)) · t).
 * A single value has no interval: low is −∞ and high +∞.
 *
 * Source: T. Hesterberg, What Teachers Should Know About the Bootstrap (2015), section 4.3, for n > 6.
 * Requires: at least one value, all finite.
 * Seeds: `random`, for more than six values.
 */
export function bootstrapInterval(
  values: readonly number[],
  statistic: (sample: readonly number[]) => number,
  random: CounterRng,
): Interval {
  const n = values.length;
  if (n < 2) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  if (n <= mostForRange) return { low: Math.min(...values), high: Math.max(...values) };
  const results = Array.from({ length: resamples }, () =>
    statistic(Array.from({ length: n }, () => values[random.nextBelow(n)] as number)),
  ).sort((a, b) => a - b);
  return cutTails(results, n);
}

/**
 * Bootstrap percentile interval at 95 % of a statistic over several groups of values, which are drawn from anew each by
 * itself; expanded for the size of the smallest group, as in `bootstrapInterval`.
 *
 * Requires: at least two values in every group, all finite.
 * Seeds: `random`.
 */
export function stratifiedInterval(
  strata: readonly (readonly number[])[],
  statistic: (strata: readonly (readonly number[])[]) => number,
  random: CounterRng,
): Interval {
  const draw = (values: readonly number[]): number[] =>
    values.map(() => values[random.nextBelow(values.length)] as number);
  const results = Array.from({ length: resamples }, () => statistic(strata.map(draw))).sort((a, b) => a - b);
  return cutTails(results, Math.min(...strata.map(({ length }) => length)));
}

/** Of sorted results of resamples, what is left without the tails that a sample of n values has. */
function cutTails(results: readonly number[], n: number): Interval {
  const tail = normalTail(Math.sqrt(n / (n - 1)) * studentQuantile(n - 1));
  const rank = Math.floor(tail * results.length);
  return { low: results[rank] as number, high: results[results.length - 1 - rank] as number };
}

/**
 * 95 % interval of a share of which `hits` of `count` cases are.
 * Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927).
 * Requires: count ≥ 1.
 */
export function shareInterval(hits: number, count: number): Interval {
  const z = 1.96;
  const share = hits / count;
  const center = share + (z * z) / (2 * count);
  const margin = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  return { low: Math.max(0, (center - margin) / scale), high: Math.min(1, (center + margin) / scale) };
}

/**
 * How often the range of n independent values holds the median they are drawn around: all of them fall on one side
 * of it in 2 · 2⁻ⁿ of cases.
 */
export function rangeCoverage(n: number): number {
  return n < 1 ? 0 : 1 - 2 ** (1 - n);
}

/** What the interval of n values may be called: five values or fewer have a range and no 95 %. */
export function intervalLabel(n: number): 'range' | '95 %' {
  return rangeCoverage(n) < nominalCoverage ? 'range' : '95 %';
}

type Values = readonly number[] | Float64Array;

export function mean(values: Values): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Standard deviation of a sample (n − 1 below the line); 0 for a single value. */
export function deviation(values: Values): number {
  const center = mean(values);
  let squares = 0;
  for (const value of values) squares += (value - center) ** 2;
  return values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
}

/** Standard error of the mean. */
export function standardError(values: Values): number {
  return deviation(values) / Math.sqrt(values.length);
}

/** Mean of many values with its 95 % interval by the normal distribution; for a handful, see `bootstrapInterval`. */
export function normalInterval(values: Values): Interval & { readonly mean: number } {
  const center = mean(values);
  const margin = 1.96 * standardError(values);
  return { mean: center, low: center - margin, high: center + margin };
}

/** own − other for every key that both have, in `own`'s order. */
export function pairedDifferences<K>(own: ReadonlyMap<K, number>, other: ReadonlyMap<K, number>): number[] {
  return [...own].flatMap(([key, value]) => {
    const paired = other.get(key);
    return paired === undefined ? [] : [value - paired];
  });
}

/** Share of pairs in which the difference is on the better side; ties count half. */
export function probabilityOfImprovement(differences: readonly number[], better: 'higher' | 'lower'): number {
  const sign = better === 'higher' ? 1 : -1;
  return mean(differences.map((difference) => (difference === 0 ? 0.5 : difference * sign > 0 ? 1 : 0)));
}

/** 97.5 % quantile of Student's t; of more than thirty degrees approximately. */
export function studentQuantile(degrees: number): number {
  return studentQuantiles[degrees - 1] ?? 1.96 + 2.4 / degrees;
}

/**
 * P(T ≤ t) of Student's t. Source: Abramowitz and Stegun 26.7.3 and 26.7.4, finite sums for whole degrees of freedom.
 * Requires: degrees ≥ 1, whole.
 */
export function studentProbability(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const square = Math.cos(angle) ** 2;
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= (square * (k - 1)) / k;
    sum += term;
  }
  const central = isOdd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
  return (1 + central) / 2;
}

/** P(Z > x) for x ≥ 0. Source: Abramowitz and Stegun 26.2.17, error below 7.5e-8. */
function normalTail(x: number): number {
  const t = 1 / (1 + 0.2316419 * x);
  const polynomial =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
