import { describe, expect, test } from 'vitest';
import { spanOf, ticksOf } from '../../../../src/renderer/panels/report/interval-axis.ts';

describe('spanOf', () => {
  test('holds all values with room at both ends', () => {
    const { low, high } = spanOf([-20, -10, Number.NaN]);
    expect(low).toBeCloseTo(-20.6, 12);
    expect(high).toBeCloseTo(-9.4, 12);
  });

  test('is never empty', () => {
    expect(spanOf([])).toEqual({ low: 0, high: 1 });
    expect(spanOf([0])).toEqual({ low: -0.5, high: 0.5 });
    expect(spanOf([-20, -20])).toEqual({ low: -22, high: -18 });
  });
});

describe('ticksOf', () => {
  test('are round, within the span, and few', () => {
    expect(ticksOf({ low: -31, high: -17 })).toEqual([-30, -25, -20]);
    expect(ticksOf({ low: -0.05, high: 1.04 })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(ticksOf({ low: 0, high: 480_000 })).toEqual([0, 200_000, 400_000]);
  });

  test('are between two and six in number for any span', () => {
    for (let exponent = -6; exponent < 8; exponent++) {
      for (const width of [1, 1.7, 2.9, 4.4, 7.3, 9.9]) {
        const low = 0.37 * 10 ** exponent;
        const ticks = ticksOf({ low, high: low + width * 10 ** exponent });
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }
    }
  });
});
