import { describe, expect, test } from 'vitest';
import { orthogonal } from '../../../../src/engine/learn/nn/orthogonal.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

/** Entry (i, j) of M M' for a matrix of the given width. */
function rowProduct(matrix: Float32Array, width: number, i: number, j: number): number {
  let sum = 0;
  for (let k = 0; k < width; k++) {
    sum += (matrix[i * width + k] as number) * (matrix[j * width + k] as number);
  }
  return sum;
}

function transpose(matrix: Float32Array, rows: number, columns: number): Float32Array {
  return matrix.map((_, i) => matrix[(i % rows) * columns + Math.floor(i / rows)] as number);
}

describe('orthogonal', () => {
  test.each([
    [18, 64],
    [64, 64],
    [64, 5],
    [1, 7],
  ])('gives a %i x %i matrix whose short side is orthonormal up to the gain', (rows, columns) => {
    const gain = Math.SQRT2;
    const matrix = orthogonal(new CounterRng(1n, 0), rows, columns, gain);
    const [short, long] = [Math.min(rows, columns), Math.max(rows, columns)];
    const wide = rows <= columns ? matrix : transpose(matrix, rows, columns);
    for (let i = 0; i < short; i++) {
      for (let j = 0; j < short; j++) {
        expect(rowProduct(wide, long, i, j), `entry ${i},${j}`).toBeCloseTo(i === j ? gain ** 2 : 0, 5);
      }
    }
  });

  test('is a function of the stream', () => {
    const draw = (seed: bigint): Float32Array => orthogonal(new CounterRng(seed, 0), 4, 4, 1);
    expect(draw(3n)).toEqual(draw(3n));
    expect(draw(3n)).not.toEqual(draw(4n));
  });

  test('has no preferred direction: entries average to zero (seed 2, 400 matrices)', () => {
    const rng = new CounterRng(2n, 0);
    const sums = new Float64Array(9);
    for (let n = 0; n < 400; n++) {
      for (const [i, value] of orthogonal(rng, 3, 3, 1).entries())
        sums[i] = (sums[i] as number) + value / 400;
    }
    // The deviation of one entry is 1/√3, that of the mean 0.029.
    for (const [i, mean] of sums.entries()) expect(Math.abs(mean), `entry ${i}`).toBeLessThan(0.12);
  });
});
