import { describe, expect, test } from 'vitest';
import { intervalScale } from '../../../../src/renderer/panels/proposal/interval-scale.ts';

describe('intervalScale', () => {
  test('always has zero inside, so that the line to beat is seen', () => {
    const toX = intervalScale([2, 3], 560);
    expect(toX(0)).toBe(50);
    expect(toX(3)).toBe(510);
  });

  test('keeps values beyond the drawn ones at the edge and survives no values at all', () => {
    expect(intervalScale([1], 560)(99)).toBe(510);
    expect(intervalScale([], 560)(0)).toBe(50);
    expect(Number.isFinite(intervalScale([Number.POSITIVE_INFINITY], 560)(Number.POSITIVE_INFINITY))).toBe(
      true,
    );
  });
});
