import type { SeriesView } from '../../shared/contract/runs.ts';

/** Receives points (or whole chunks of them) in order and keeps per bucket the last step, mean, min and max. */
export interface Decimator {
  addPoint(step: number, value: number): void;
  /** A run of points known only by its statistics; it lies in one bucket by the caller's choice of bucket size. */
  addBlock(block: {
    numPoints: number;
    lastStep: number;
    low: number | null;
    high: number | null;
    sum: number;
    numFinite: number;
  }): void;
  finish(): Pick<SeriesView, 'steps' | 'values' | 'low' | 'high'>;
}

interface Bucket {
  numPoints: number;
  numFinite: number;
  lastStep: number;
  sum: number;
  low: number;
  high: number;
}

function openBucket(): Bucket {
  return {
    numPoints: 0,
    numFinite: 0,
    lastStep: 0,
    sum: 0,
    low: Number.POSITIVE_INFINITY,
    high: Number.NEGATIVE_INFINITY,
  };
}

/**
 * Buckets of `pointsPerBucket` consecutive points; a bucket is closed by the block or point that fills it.
 * A bucket with no finite value reads NaN.
 */
export function createDecimator(pointsPerBucket: number): Decimator {
  const closed: Bucket[] = [];
  let bucket = openBucket();
  const closeWhenFull = (): void => {
    if (bucket.numPoints < pointsPerBucket) return;
    closed.push(bucket);
    bucket = openBucket();
  };
  return {
    addPoint(step, value) {
      bucket.numPoints += 1;
      bucket.lastStep = step;
      if (Number.isFinite(value)) {
        bucket.numFinite += 1;
        bucket.sum += value;
        bucket.low = Math.min(bucket.low, value);
        bucket.high = Math.max(bucket.high, value);
      }
      closeWhenFull();
    },
    addBlock({ numPoints, lastStep, low, high, sum, numFinite }) {
      bucket.numPoints += numPoints;
      bucket.numFinite += numFinite;
      bucket.lastStep = lastStep;
      bucket.sum += sum;
      bucket.low = Math.min(bucket.low, low ?? Number.POSITIVE_INFINITY);
      bucket.high = Math.max(bucket.high, high ?? Number.NEGATIVE_INFINITY);
      closeWhenFull();
    },
    finish() {
      const buckets = bucket.numPoints > 0 ? [...closed, bucket] : closed;
      const orNaN = (read: (b: Bucket) => number) =>
        Float64Array.from(buckets, (b) => (b.numFinite === 0 ? Number.NaN : read(b)));
      return {
        steps: Float64Array.from(buckets, (b) => b.lastStep),
        values: orNaN((b) => b.sum / b.numFinite),
        low: orNaN((b) => b.low),
        high: orNaN((b) => b.high),
      };
    },
  };
}
