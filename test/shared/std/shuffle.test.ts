import { describe, expect, test } from 'vitest';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { shuffle } from '../../../src/shared/std/shuffle.ts';

describe('shuffle', () => {
  const ascending = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, i) => i);

  test('keeps every value', () => {
    const order = ascending(1000);
    shuffle(order, new CounterRng(4n, 0));
    expect(order).not.toEqual(ascending(1000));
    expect(order.sort()).toEqual(ascending(1000));
  });

  test('reaches all orders of three equally often (seed 9, 6000 draws)', () => {
    const rng = new CounterRng(9n, 0);
    const counts = new Map<string, number>();
    for (let n = 0; n < 6000; n++) {
      const order = ascending(3);
      shuffle(order, rng);
      counts.set(order.join(''), (counts.get(order.join('')) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const [key, count] of counts) expect(Math.abs(count - 1000), key).toBeLessThan(5 * 29);
  });
});
