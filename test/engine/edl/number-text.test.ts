import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNumber, parseNumber } from '../../../src/engine/edl/number-text.ts';

describe('parseNumber', () => {
  test.each([
    ['0.05', 0.05],
    ['1e-3', 0.001],
    ['10_000', 10000],
    ['200k', 200000],
    ['0.3k', 300],
    ['1.1M', 1100000],
    ['2e3k', 2000000],
  ])('reads %s as %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });
});

describe('formatNumber', () => {
  test.each([
    [200000, '200k'],
    [5000000, '5M'],
    [9000, '9000'],
    [12345, '12345'],
    [0.1, '0.1'],
    [-0, '0'],
    [1e21, '1e21'],
    [-250000, '-250k'],
  ])('writes %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  test('what it writes reads back as the same double (seed 4)', () => {
    const back = (value: number): number => {
      const text = formatNumber(value);
      return text.startsWith('-') ? -parseNumber(text.slice(1)) : parseNumber(text);
    };
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(finite, fc.integer()), (value) => back(value) === value),
      { seed: 4, numRuns: 1000 },
    );
  });
});
