import { describe, expect, test } from 'vitest';
import { CounterRng } from '../../../src/shared/std/rng.ts';

const draw = (rng: CounterRng, count: number): number[] =>
  Array.from({ length: count }, () => rng.nextUint32());

describe('CounterRng', () => {
  // Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
  test('equals the published Philox4x32-10 for a zero counter and key', () => {
    expect(draw(new CounterRng(0n, 0), 4)).toEqual([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  });

  test('equals a 64-bit integer evaluation of the rounds for arbitrary keys and counters', () => {
    for (const [seed, stream, block] of [
      [0x299f31d0a4093822n, 0x03707344, 7],
      [-1n, 2 ** 40 + 5, 2 ** 33 + 1],
    ] as const) {
      const rng = new CounterRng(seed, stream);
      rng.position = block * 4;
      expect(draw(rng, 4)).toEqual(referencePhilox(BigInt(block), BigInt(stream), BigInt.asUintN(64, seed)));
    }
  });

  test('continues from an assigned position inside a block', () => {
    const rng = new CounterRng(42n, 3);
    const words = draw(rng, 23);
    const resumed = new CounterRng(42n, 3);
    resumed.position = 9;
    expect(draw(resumed, 14)).toEqual(words.slice(9));
    expect(resumed.position).toBe(23);
  });

  test('is taken up from a state that went through JSON', () => {
    const rng = new CounterRng(-7n, 2 ** 35 + 1);
    draw(rng, 6);
    const resumed = CounterRng.from(JSON.parse(JSON.stringify(rng.state)));
    expect(draw(resumed, 9)).toEqual(draw(rng, 9));
  });

  test('gives other numbers in another stream and under another seed', () => {
    const words = draw(new CounterRng(1n, 0), 8);
    expect(draw(new CounterRng(1n, 1), 8)).not.toEqual(words);
    expect(draw(new CounterRng(2n, 0), 8)).not.toEqual(words);
  });

  test('has uniform and normal moments within five standard errors (seed 5)', () => {
    const rng = new CounterRng(5n, 0);
    const count = 100_000;
    let uniform = 0;
    let normal = 0;
    let square = 0;
    for (let i = 0; i < count; i++) {
      uniform += rng.nextFloat() / count;
      const z = rng.nextNormal();
      normal += z / count;
      square += (z * z) / count;
    }
    expect(Math.abs(uniform - 0.5)).toBeLessThan(5 * Math.sqrt(1 / 12 / count));
    expect(Math.abs(normal)).toBeLessThan(5 / Math.sqrt(count));
    expect(Math.abs(square - 1)).toBeLessThan(5 * Math.sqrt(2 / count));
  });

  test('refuses positions and streams that are not counts', () => {
    expect(() => new CounterRng(0n, -1)).toThrow(RangeError);
    expect(() => {
      new CounterRng(0n, 0).position = 0.5;
    }).toThrow(RangeError);
  });
});

function referencePhilox(block: bigint, stream: bigint, seed: bigint): number[] {
  const mask = 0xffffffffn;
  let c = [block & mask, block >> 32n, stream & mask, stream >> 32n] as [bigint, bigint, bigint, bigint];
  let [k0, k1] = [seed & mask, seed >> 32n];
  for (let round = 0; round < 10; round++) {
    const p0 = 0xd2511f53n * c[0];
    const p1 = 0xcd9e8d57n * c[2];
    c = [(p1 >> 32n) ^ c[1] ^ k0, p1 & mask, (p0 >> 32n) ^ c[3] ^ k1, p0 & mask];
    k0 = (k0 + 0x9e3779b9n) & mask;
    k1 = (k1 + 0xbb67ae85n) & mask;
  }
  return c.map(Number);
}
