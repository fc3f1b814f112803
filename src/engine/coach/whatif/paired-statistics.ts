import type { CounterRng } from '../../../shared/std/rng.ts';
import { average, bootstrapInterval as intervalOf } from '../../../shared/std/statistics.ts';

/** A mean of paired differences with its interval. */
export interface PairedInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The mean difference with its interval (the range of up to six pairs); one pair has none (−∞ to +∞). Requires: finite differences. */
export function bootstrapInterval(differences: readonly number[], random: CounterRng): PairedInterval {
  return { mean: average(differences), ...intervalOf(differences, average, random) };
}

/** Share of pairs in which the candidate was better; ties count half. */
export function probabilityOfImprovement(differences: readonly number[], better: 'higher' | 'lower'): number {
  const sign = better === 'higher' ? 1 : -1;
  const wins = differences.reduce((sum, d) => sum + (d * sign > 0 ? 1 : d === 0 ? 0.5 : 0), 0);
  return wins / differences.length;
}

export { average };
