import { describe, expect, test } from 'vitest';
import {
  describeShape,
  momentWidths,
  outline,
  paddedLength,
  stepsOf,
} from '../../../../../src/engine/learn/algos/value/batch-shape.ts';
import { CounterRng } from '../../../../../src/shared/std/rng.ts';

describe('paddedLength', () => {
  test('takes one of few lengths and never exceeds an episode', () => {
    const lengths = new Set(Array.from({ length: 128 }, (_, i) => paddedLength(i + 1, 1000)));
    expect([...lengths]).toEqual([8, 16, 24, 32, 48, 64, 96, 128]);
    expect([25, 96, 97].map((longest) => paddedLength(longest, 101))).toEqual([32, 96, 101]);
    expect(paddedLength(25, 25)).toBe(25);
    // An episode that is longer than the manifest says is held all the same.
    expect(paddedLength(70, 60)).toBe(70);
  });
});

describe('outline', () => {
  test('is a rectangle where lengths are alike', () => {
    expect(outline([25, 25, 25, 25], 25)).toEqual({ episodes: 4, widths: Array(25).fill(4) });
    expect(outline([3], 25)).toEqual({ episodes: 1, widths: Array(8).fill(1) });
  });

  test('goes on with a quarter of the episodes when the others are over', () => {
    const shape = outline([40, 33, 16, 15, 9, 8, 3, 1], 101);
    expect(shape.widths).toEqual([...Array(16).fill(8), ...Array(48).fill(2)]);
    expect(describeShape(shape)).toBe('8 from 0, 2 from 16 to 64');
    expect([stepsOf(shape), momentWidths(shape).length]).toEqual([224, 65]);
    expect(outline([70, 33, 16, 15, 9, 8, 3, 1], 101).widths.length).toBe(101);
  });

  test('holds every episode and never widens, whatever the lengths (seed 1)', () => {
    const rng = new CounterRng(1n, 0);
    for (let i = 0; i < 200; i++) {
      const count = 1 + rng.nextBelow(40);
      const lengths = Array.from({ length: count }, () => 1 + rng.nextBelow(101)).sort((a, b) => b - a);
      const { widths } = outline(lengths, 101);
      for (const [t, width] of widths.entries()) {
        expect(width).toBeGreaterThanOrEqual(lengths.filter((length) => length > t).length);
        expect(width).toBeLessThanOrEqual(widths[t - 1] ?? count);
      }
      expect(widths.length).toBeGreaterThanOrEqual(lengths[0] as number);
      expect(widths[0]).toBe(count);
    }
  });
});
