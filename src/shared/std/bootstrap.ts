import type { CounterRng } from './rng.ts';

const resamples = 4000;

/** 97.5 % quantiles of Student's t for 1 … 30 degrees of freedom. */
const studentQuantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;

/**
 * Bootstrap 95 % interval of a statistic, widened for small samples. The plain percentile interval is too narrow with
 * few values (with two it is their range and covers half of the time); the expanded percentile takes the quantile
 * Φ(−√(n/(n−1)) · t), which for a mean of up to six values is the smallest resample mean, that is the smallest value.
 * A single value has no interval: low is −∞ and high +∞.
 *
 * Source: T. Hesterberg, What Teachers Should Know About the Bootstrap (2015), section 4.3.
 * Requires: at least one value, all finite.
 */
export function bootstrapInterval(
  values: readonly number[],
  statistic: (sample: readonly number[]) => number,
  random: CounterRng,
): { readonly low: number; readonly high: number } {
  const n = values.length;
  if (n < 2) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const results = Array.from({ length: resamples }, () =>
    statistic(Array.from({ length: n }, () => values[random.nextBelow(n)] as number)),
  ).sort((a, b) => a - b);
  const tail = normalTail(Math.sqrt(n / (n - 1)) * studentQuantile(n - 1));
  const rank = Math.floor(tail * resamples);
  return { low: results[rank] as number, high: results[resamples - 1 - rank] as number };
}

export function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function studentQuantile(degrees: number): number {
  return studentQuantiles[degrees - 1] ?? 1.96 + 2.4 / degrees;
}

/** P(Z > x) for x ≥ 0. Source: Abramowitz and Stegun 26.2.17, error below 7.5e-8. */
function normalTail(x: number): number {
  const t = 1 / (1 + 0.2316419 * x);
  const polynomial =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
