import { expect, test } from 'vitest';
import { paddedLength } from '../../../../../src/engine/learn/algos/value/updater.ts';

test('paddedLength takes one of few lengths, wastes at most half, and never exceeds an episode', () => {
  const lengths = new Set(Array.from({ length: 128 }, (_, i) => paddedLength(i + 1, 1000)));
  expect([...lengths]).toEqual([8, 16, 24, 32, 48, 64, 96, 128]);
  for (let longest = 1; longest <= 101; longest++) {
    const length = paddedLength(longest, 101);
    expect(length).toBeGreaterThanOrEqual(longest);
    expect(length).toBeLessThanOrEqual(101);
    if (longest > 8) expect((length - longest) / longest, `${longest} -> ${length}`).toBeLessThan(0.8);
  }
  expect(paddedLength(25, 25)).toBe(25);
  expect(paddedLength(70, 60)).toBe(70);
});
