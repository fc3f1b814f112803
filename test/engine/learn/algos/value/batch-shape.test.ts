import { describe, expect, test } from 'vitest';
import {
  columnsOf,
  paddedLength,
  stairFeeds,
  stairOf,
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

describe('stairOf', () => {
  test('has every episode to its last moment, and nothing after', () => {
    expect(stairOf([4, 4], 25)).toEqual({ widths: [2, 2, 2, 2, 2], numMoments: 9 });
    expect(stairOf([3, 1, 1], 25).widths).toEqual([3, 3, 1, 1]);
  });

  test('has one column per moment of every episode, never widening, whatever the lengths (seed 1)', () => {
    const rng = new CounterRng(1n, 0);
    for (let i = 0; i < 200; i++) {
      const count = 1 + rng.nextBelow(40);
      const lengths = Array.from({ length: count }, () => 1 + rng.nextBelow(101)).sort((a, b) => b - a);
      const shape = stairOf(lengths, 101);
      for (const [t, width] of shape.widths.entries()) {
        expect(width).toBe(lengths.filter((length) => length >= t).length);
      }
      expect(columnsOf(shape)).toBe(lengths.reduce((sum, length) => sum + length + 1, 0));
      expect(shape.widths.length).toBe(1 + (lengths[0] as number));
      expect(shape.numMoments).toBeGreaterThanOrEqual(shape.widths.length);
    }
  });
});

describe('stairFeeds', () => {
  test('tell of each moment what goes on and what is over, with nothing beyond the longest episode', () => {
    const { widths, spans } = stairFeeds({ widths: [3, 3, 1], numMoments: 5 });
    expect([...widths]).toEqual([3, 3, 1, 0, 0]);
    expect([...spans]).toEqual([3, 0, 1, 2, 0, 1, 0, 0, 0]);
    expect([...stairFeeds({ widths: [2, 1], numMoments: 2 }).spans]).toEqual([1, 1, 1]);
  });
});
