import { describe, expect, test } from 'vitest';
import { createRandom, seedFor, shuffledIndices } from '../../../src/engine/coach/seeded-random.ts';

describe('createRandom', () => {
  test('equal keys give equal numbers, other keys others', () => {
    const draw = (...key: (string | number)[]) => createRandom(...key).nextFloat();
    expect(draw('a', 1)).toBe(draw('a', 1));
    expect(draw('a', 1)).not.toBe(draw('a', 2));
  });
});

describe('shuffledIndices', () => {
  test('is a permutation, and every index comes first about equally often (seeds 0 to 3999)', () => {
    const counts = new Array<number>(4).fill(0);
    for (let seed = 0; seed < 4000; seed++) {
      const order = shuffledIndices(createRandom(seed), 4);
      expect([...order].sort()).toEqual([0, 1, 2, 3]);
      counts[order[0] as number] = (counts[order[0] as number] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});

describe('seedFor', () => {
  test('is a non-negative 31-bit integer', () => {
    for (let i = 0; i < 100; i++) {
      const seed = seedFor('x', i);
      expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
    }
  });
});
