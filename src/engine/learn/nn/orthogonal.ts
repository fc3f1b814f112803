import type { CounterRng } from '../../../shared/std/rng.ts';

/**
 * A matrix with orthonormal rows or columns (whichever are fewer), times `gain`.
 * Shape: [rows,columns] f32, row by row.
 * Source: Saxe, McClelland and Ganguli 2014; QR of a normal matrix with the signs of R's diagonal made positive, so
 * that the distribution is uniform over orthogonal matrices (Mezzadri 2007).
 * Seeds: draws 2 max(rows, columns) min(rows, columns) words from `rng`.
 */
export function orthogonal(rng: CounterRng, rows: number, columns: number, gain: number): Float32Array {
  const long = Math.max(rows, columns);
  const short = Math.min(rows, columns);
  const basis = orthonormalVectors(rng, short, long);
  const isTall = rows >= columns;
  return Float32Array.from({ length: rows * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    const column = i % columns;
    const vector = basis[isTall ? column : row] as Float64Array;
    return gain * (vector[isTall ? row : column] as number);
  });
}

/** Modified Gram-Schmidt, twice: the second pass removes what rounding left. */
function orthonormalVectors(rng: CounterRng, count: number, dimension: number): Float64Array[] {
  const vectors: Float64Array[] = [];
  while (vectors.length < count) {
    const vector = Float64Array.from({ length: dimension }, () => rng.nextNormal());
    for (let pass = 0; pass < 2; pass++) {
      for (const other of vectors) subtractProjection(vector, other);
      normalise(vector);
    }
    vectors.push(vector);
  }
  return vectors;
}

function subtractProjection(vector: Float64Array, unit: Float64Array): void {
  let dot = 0;
  for (let i = 0; i < vector.length; i++) dot += (vector[i] as number) * (unit[i] as number);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) - dot * (unit[i] as number);
}

function normalise(vector: Float64Array): void {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / norm;
}
