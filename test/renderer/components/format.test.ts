import { describe, expect, test } from 'vitest';
import { formatPercent, formatQuantity } from '../../../src/renderer/components/format.ts';

describe('formatQuantity', () => {
  test('one is no plural', () => {
    expect([0, 1, 2].map((count) => formatQuantity(count, 'seed'))).toEqual(['0 seeds', '1 seed', '2 seeds']);
  });
});

describe('formatPercent', () => {
  test('has a true minus, and none before nothing', () => {
    expect([0.184, -0.141, -0.001].map(formatPercent)).toEqual(['18', '−14', '0']);
  });
});
