/** Points of one series in append order, as they lie in one row. N points. */
export interface Chunk {
  /** [N] rising by run: the position of the point among all points of the run. */
  readonly sequences: Float64Array;
  /** [N] charged steps. */
  readonly steps: Float64Array;
  /** [N]; NaN is kept as such. */
  readonly values: Float64Array;
}

/** What is known of a chunk without its blobs; NaN values are left out of low, high and sum. */
export interface ChunkStats {
  readonly numPoints: number;
  readonly firstStep: number;
  readonly lastStep: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly sum: number;
  readonly numFinite: number;
}

/** A full chunk: 512 points, 12 KiB. The last chunk of a series is rewritten as it grows. */
export const chunkCapacity = 512;

export const emptyChunk: Chunk = {
  sequences: new Float64Array(),
  steps: new Float64Array(),
  values: new Float64Array(),
};

function concat(left: Float64Array, right: readonly number[]): Float64Array {
  const joined = new Float64Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

export function extendChunk(
  chunk: Chunk,
  points: readonly { sequence: number; step: number; value: number }[],
): Chunk {
  return {
    sequences: concat(
      chunk.sequences,
      points.map((point) => point.sequence),
    ),
    steps: concat(
      chunk.steps,
      points.map((point) => point.step),
    ),
    values: concat(
      chunk.values,
      points.map((point) => point.value),
    ),
  };
}

/** The points before the given sequence. */
export function truncateChunk(chunk: Chunk, endSequence: number): Chunk {
  const cut = chunk.sequences.findIndex((sequence) => sequence >= endSequence);
  const end = cut === -1 ? chunk.sequences.length : cut;
  return {
    sequences: chunk.sequences.slice(0, end),
    steps: chunk.steps.slice(0, end),
    values: chunk.values.slice(0, end),
  };
}

export function describeChunk({ steps, values }: Chunk): ChunkStats {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let numFinite = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
    sum += value;
    numFinite += 1;
  }
  return {
    numPoints: steps.length,
    firstStep: steps[0] ?? 0,
    lastStep: steps.at(-1) ?? 0,
    low: numFinite === 0 ? null : low,
    high: numFinite === 0 ? null : high,
    sum,
    numFinite,
  };
}

/** Layout of the blob: the three arrays one after another, little-endian f64. */
export function encodeChunk({ sequences, steps, values }: Chunk): Uint8Array {
  const all = new Float64Array(sequences.length * 3);
  all.set(sequences, 0);
  all.set(steps, sequences.length);
  all.set(values, sequences.length * 2);
  return new Uint8Array(all.buffer);
}

export function decodeChunk(blob: Uint8Array): Chunk {
  const all = new Float64Array(new Uint8Array(blob).buffer);
  const length = all.length / 3;
  return {
    sequences: all.slice(0, length),
    steps: all.slice(length, length * 2),
    values: all.slice(length * 2),
  };
}
