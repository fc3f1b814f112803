import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allToNone,
  followTrend,
  quantise,
  ratioOf,
  type TrendMemory,
} from '../../../src/engine/describe/quantise.ts';
import type { Scale, Trend } from '../../../src/engine/describe/template.ts';

const level: Scale = {
  type: 'level',
  levels: ['scarce', 'tight', 'ample'],
  thresholds: [1, 2],
  margin: 0.25,
};
const number: Scale = { type: 'number', step: 0.5, margin: 0.1, unit: 'm', noun: null };

describe('quantise', () => {
  test('a level without a past goes by the thresholds alone', () => {
    expect([0.99, 1, 1.99, 2].map((value) => quantise(level, value, null))).toEqual([0, 1, 1, 2]);
  });

  test('a level is left once the value has passed its threshold by the margin', () => {
    expect(quantise(level, 1.24, 0)).toBe(0);
    expect(quantise(level, 1.25, 0)).toBe(1);
    expect(quantise(level, 0.76, 1)).toBe(1);
    expect(quantise(level, 0.74, 1)).toBe(0);
  });

  test('a leap passes over levels, and each by its margin', () => {
    expect(quantise(level, 9, 0)).toBe(2);
    expect(quantise(level, 2.1, 0)).toBe(1);
    expect(quantise(level, -9, 2)).toBe(0);
  });

  test('a number is a multiple of the step, without rounding noise', () => {
    expect(quantise({ ...number, step: 0.1 }, 0.3000001, null)).toBe(0.3);
    expect(quantise(number, -0.1, null)).toBe(0);
  });

  test('a number changes once the value is half a step and the margin away', () => {
    expect(quantise(number, 1.34, 1)).toBe(1);
    expect(quantise(number, 1.36, 1)).toBe(1.5);
  });

  test('what trembles by less than the margin is told the same for ever', () => {
    const trembling = fc.record({
      start: fc.double({ min: -5, max: 5, noNaN: true }),
      noise: fc.array(fc.double({ min: -0.0999, max: 0.0999, noNaN: true }), { minLength: 1, maxLength: 30 }),
      scale: fc.constantFrom<Scale>(level, number),
    });
    fc.assert(
      fc.property(trembling, ({ start, noise, scale }) => {
        const shown = quantise(scale, start, null);
        let before = shown;
        for (const each of noise) before = quantise(scale, start + each, before);
        expect(before).toBe(shown);
      }),
    );
  });

  test('a movement of two steps is always told', () => {
    fc.assert(
      fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (start) => {
        const shown = quantise(number, start, null);
        expect(quantise(number, start + 1, shown)).not.toBe(shown);
      }),
    );
  });
});

describe('ratioOf', () => {
  test('is even at 0 and alike to both sides', () => {
    expect(ratioOf(3, 3)).toBe(0);
    expect(ratioOf(3, 1)).toBe(2);
    expect(ratioOf(1, 3)).toBe(-2);
  });

  test('nothing against something is beyond every number; nothing against nothing is no ratio', () => {
    expect(ratioOf(2, 0)).toBe(allToNone);
    expect(ratioOf(0, 2)).toBe(-allToNone);
    expect(ratioOf(0, 0)).toBeNaN();
    expect(ratioOf(-1, 2)).toBeNaN();
    expect(quantise({ type: 'ratio', step: 0.5, margin: 0.1 }, allToNone, 1)).toBe(allToNone);
  });
});

describe('followTrend', () => {
  const trend: Trend = { step: 1, settle: 3, words: ['falling', 'steady', 'rising'] };
  const follow = (values: readonly number[], of = trend) =>
    values.reduce<TrendMemory | null>((memory, value) => followTrend(of, value, memory), null);

  test('is steady until something moves by a step', () => {
    expect(follow([0, 0.4, 0.9])?.direction).toBe(0);
    expect(follow([0, 0.4, 1])?.direction).toBe(1);
    expect(follow([0, -1])?.direction).toBe(-1);
  });

  test('many small movements in one direction add up to one', () => {
    expect(follow([0, 0.3, 0.6, 0.9, 1.2])?.direction).toBe(1);
  });

  test('is steady again after as many descriptions without a movement as are given', () => {
    expect(follow([0, 2, 2, 2])?.direction).toBe(1);
    expect(follow([0, 2, 2, 2, 2])?.direction).toBe(0);
  });

  test('without such a number the last movement is told until another comes', () => {
    expect(
      follow([0, 2, ...Array.from({ length: 50 }, () => 2)], { ...trend, settle: null })?.direction,
    ).toBe(1);
  });
});
