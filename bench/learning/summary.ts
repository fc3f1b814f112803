import type { SeedResult } from './train-seed.ts';

/** Quantiles of Student's t for a two-sided 95 % interval, by degrees of freedom from 1 (any table of the distribution). */
const student95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

export interface Summary {
  readonly mean: number;
  /** Half the 95 % interval of the mean over seeds; null with one seed, or more than the table knows. */
  readonly halfWidth: number | null;
}

/** Mean over seeds and how far it may be off. */
export function summarise(values: readonly number[]): Summary {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const quantile = student95[values.length - 2];
  if (quantile === undefined) return { mean, halfWidth: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, halfWidth: quantile * Math.sqrt(variance / values.length) };
}

type Curves = readonly Pick<SeedResult, 'curve'>[];

/** Scores of all seeds at one place of their curves. */
export const scoresAt = (seeds: Curves, place: number): number[] =>
  seeds.map(({ curve }) => curve[place]?.[1] ?? Number.NaN);

/** Env-steps after which the mean over seeds was first at least so much; null where it never was. */
export function firstAt(seeds: Curves, atLeast: number): number | null {
  const curve = seeds[0]?.curve ?? [];
  const place = curve.findIndex((_, i) => summarise(scoresAt(seeds, i)).mean >= atLeast);
  return curve[place]?.[0] ?? null;
}
