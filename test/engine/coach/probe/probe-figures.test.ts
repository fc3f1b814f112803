import { describe, expect, test } from 'vitest';
import {
  chanceScores,
  derange,
  scoresOf,
  summarize,
} from '../../../../src/engine/coach/probe/probe-figures.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';
import { shuffle } from '../../../../src/shared/std/shuffle.ts';

describe('scoresOf', () => {
  test.each([
    [1, { top1: 1, top3: 1, reciprocalRank: 1 }],
    [3, { top1: 0, top3: 1, reciprocalRank: 1 / 3 }],
    [4, { top1: 0, top3: 0, reciprocalRank: 0.25 }],
    [null, { top1: 0, top3: 0, reciprocalRank: 0 }],
  ])('of a first repair in place %s', (rank, expected) => {
    expect(scoresOf(rank)).toEqual(expected);
  });
});

describe('chanceScores', () => {
  test('by hand: one repair among two, and nothing but repairs', () => {
    expect(chanceScores(2, 1)).toEqual({ top1: 0.5, top3: 1, reciprocalRank: 0.75 });
    expect(chanceScores(4, 4)).toEqual({ top1: 1, top3: 1, reciprocalRank: 1 });
  });

  test.each([
    [20, 1],
    [20, 7],
    [6, 3],
  ])('is what shuffling %i options with %i repairs comes to (seed 3)', (options, repairs) => {
    const random = new CounterRng(3n, 0);
    const count = 20_000;
    const sums = { top1: 0, top3: 0, reciprocalRank: 0 };
    for (let i = 0; i < count; i++) {
      const order = Array.from({ length: options }, (_, option) => option);
      shuffle(order, random);
      const place = order.findIndex((option) => option < repairs) + 1;
      const scores = scoresOf(place <= 5 ? place : null);
      for (const key of ['top1', 'top3', 'reciprocalRank'] as const) sums[key] += scores[key];
    }
    const exact = chanceScores(options, repairs);
    for (const key of ['top1', 'top3', 'reciprocalRank'] as const)
      expect(Math.abs(sums[key] / count - exact[key])).toBeLessThan(0.015);
  });
});

describe('summarize', () => {
  const of = (scenario: string, ranks: readonly (number | null)[]) =>
    ranks.map((rank) => ({ scenario, scores: scoresOf(rank) }));

  test('gives means over defects and the same interval every time', () => {
    const scored = [...of('a', [1, 1, null, 2]), ...of('b', [1, 3, 1, 1, null, 1])];
    const figures = summarize(scored);
    expect(figures.top1.value).toBeCloseTo(0.6);
    expect(figures.top3.value).toBeCloseTo(0.8);
    expect(figures.top1.low).toBeLessThan(0.6);
    expect(figures.top1.high).toBeGreaterThan(0.6);
    expect(summarize(scored)).toEqual(figures);
  });

  test('a scenario with a single defect leaves the whole range open', () => {
    expect(summarize([...of('a', [1]), ...of('b', [1, 1])]).top1).toEqual({ value: 1, low: -1, high: 1 });
  });
});

describe('derange', () => {
  test.each([2, 3, 9, 10])('of %i leaves nothing in its place, and nothing out', (n) => {
    const order = derange(n);
    expect(order.some((place, i) => place === i)).toBe(false);
    expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
  });
});
