import type { CounterRng } from '../../../shared/std/rng.ts';
import { bootstrapInterval, mean, probabilityOfImprovement } from '../../../shared/std/statistics.ts';
import type { TrialPair, TrialSummary } from '../../store/trials.ts';

/** Fewest deciding pairs that can say "better". */
const minPairs = 2;

/** Standard errors of the mean difference below which it counts as none: their episodes do not tell the two apart. */
const leastErrors = 2;

/**
 * The verdict over the deciding pairs: better only if the whole interval lies on the better side, and by more than other episodes of
 * the same policies would make of it. The unchanged environment wins everything else.
 */
export function concludeTrial(
  pairs: readonly TrialPair[],
  better: 'higher' | 'lower',
  random: CounterRng,
): TrialSummary {
  const differences = pairs.map(({ candidate, control }) => candidate - control);
  if (differences.length === 0 || !differences.every(Number.isFinite)) {
    return {
      meanDifference: 0,
      low: 0,
      high: 0,
      numPairs: differences.length,
      probabilityOfImprovement: 0,
      verdict: 'notBetter',
    };
  }
  const meanDifference = mean(differences);
  const { low, high } = bootstrapInterval(differences, mean, random);
  const leastGain = leastErrors * errorOfMean(pairs);
  const isBetter =
    differences.length >= minPairs &&
    (better === 'higher' ? low > 0 : high < 0) &&
    !(Math.abs(meanDifference) <= leastGain);
  return {
    meanDifference,
    // A single pair has no interval: its range is all there is to show.
    low: Number.isFinite(low) ? low : meanDifference,
    high: Number.isFinite(high) ? high : meanDifference,
    numPairs: differences.length,
    ...(Number.isFinite(leastGain) && { leastGain }),
    probabilityOfImprovement: probabilityOfImprovement(differences, better),
    verdict: isBetter ? 'better' : 'notBetter',
  };
}

/** Of the mean of the pairs' differences; NaN where it was not measured of every one. */
function errorOfMean(pairs: readonly TrialPair[]): number {
  return Math.hypot(...pairs.map(({ error }) => error ?? Number.NaN)) / pairs.length;
}
