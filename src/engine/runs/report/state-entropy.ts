const numBins = 16;

/** States of one run in one round. Shape: [steps,S] f32. */
export interface VisitedStates {
  readonly states: Float32Array;
  readonly stateDim: number;
}

/**
 * How widely states are visited: the entropy in bits of each state feature over 16 equal bins between the least and the
 * greatest value that it has anywhere in `all`, as a mean over the features that vary there. 4 bits are every bin
 * visited alike. Features are taken one by one: it says nothing about how they go together.
 *
 * Returns one figure per element of `all`, in order; null where it holds no state.
 */
export function stateEntropies(all: readonly VisitedStates[]): (number | null)[] {
  const stateDim = Math.max(0, ...all.map((each) => each.stateDim));
  const ranges = Array.from({ length: stateDim }, (_, feature) => rangeOf(all, feature));
  const varying = ranges.flatMap(({ low, high }, feature) => (high > low ? [feature] : []));
  return all.map(({ states, stateDim: width }) => {
    if (states.length === 0 || width === 0) return null;
    if (varying.length === 0) return 0;
    const sum = varying.reduce((total, feature) => {
      const { low = 0, high = 0 } = ranges[feature] ?? {};
      return total + entropyOf(states, { feature, width, low, high });
    }, 0);
    return sum / varying.length;
  });
}

function rangeOf(all: readonly VisitedStates[], feature: number): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { states, stateDim } of all) {
    for (let i = feature; i < states.length; i += stateDim) {
      const value = states[i] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return { low, high };
}

interface Column {
  readonly feature: number;
  readonly width: number;
  readonly low: number;
  readonly high: number;
}

function entropyOf(states: Float32Array, { feature, width, low, high }: Column): number {
  const counts = new Float64Array(numBins);
  let total = 0;
  for (let i = feature; i < states.length; i += width) {
    const bin = Math.min(numBins - 1, Math.floor((((states[i] as number) - low) / (high - low)) * numBins));
    counts[bin] = (counts[bin] as number) + 1;
    total++;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return bits;
}
