import type { MetricHistory } from '../types.ts';
import type { SnapshotCheckpoint } from './snapshot-schema.ts';

/** Checkpoints of a history in a snapshot: enough to see a trend, few enough to read. */
const numCheckpoints = 10;

/**
 * Cuts a history into at most ten stretches of as many points each (the last ones longer by at most one) and gives
 * the extremes and mean of each. Points that are not finite are left out.
 */
export function summarizeHistory({ steps, values }: MetricHistory): SnapshotCheckpoint[] {
  const finite: number[] = [];
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i])) finite.push(i);
  const count = Math.min(numCheckpoints, finite.length);
  return Array.from({ length: count }, (_, bucket) => {
    const from = Math.floor((bucket * finite.length) / count);
    const to = Math.floor(((bucket + 1) * finite.length) / count);
    return summarize(
      finite.slice(from, to).map((i) => values[i] as number),
      steps[finite[to - 1] as number] as number,
    );
  });
}

/** How a figure goes: from its first to its last value, as a part of the range in between. -1 to 1; 0 for what stays. */
export function trendOf(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values);
  return values.length < 2 || range === 0 ? 0 : ((values.at(-1) ?? 0) - (values[0] ?? 0)) / range;
}

function summarize(values: readonly number[], step: number): SnapshotCheckpoint {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
  }
  return { step, min, mean: sum / values.length, max };
}
