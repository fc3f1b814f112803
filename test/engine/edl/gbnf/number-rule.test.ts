import { describe, expect, test } from 'vitest';
import { numberRule } from '../../../../src/engine/edl/gbnf/number-rule.ts';
import { renderGbnf } from '../../../../src/engine/edl/gbnf/render-gbnf.ts';
import { walkGrammar } from '../../../../src/engine/edl/gbnf/walk.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { GbnfReader } from '../../../support/gbnf-reader.ts';

const grammarOf = (min: number, max: number, decimals: number) => ({
  root: numberRule({ min, max, decimals }),
  rules: new Map(),
});

/** Every spelling of a grid of numbers around the range that the rule accepts. */
function accepted(min: number, max: number, decimals: number, digits: number): string[] {
  const reader = new GbnfReader(renderGbnf(grammarOf(min, max, decimals)));
  const scale = 10 ** digits;
  const span = Math.ceil(Math.max(Math.abs(min), Math.abs(max)) * scale) + 2 * scale;
  const found: string[] = [];
  for (let k = -span; k <= span; k++) {
    const text = (k / scale).toFixed(digits);
    if (reader.accepts(text) && !(k === 0 && text.startsWith('-'))) found.push(text);
  }
  return found;
}

describe('numberRule', () => {
  test.each([
    [0, 1.5, 2],
    [0.05, 0.95, 2],
    [-1, -0.01, 2],
    [-3, 12, 1],
    [0.1, 20, 1],
    [7, 7, 0],
    [-10, 10, 0],
    [95, 1234, 0],
    [1.1, 1.1, 1],
  ])('from %d to %d with %d decimals writes these numbers and no others', (min, max, decimals) => {
    for (let digits = 0; digits <= decimals; digits++) {
      const scale = 10 ** digits;
      const expected: string[] = [];
      for (let k = Math.ceil(min * scale - 1e-9); k <= Math.floor(max * scale + 1e-9); k++) {
        expected.push((k / scale).toFixed(digits));
      }
      expect(accepted(min, max, decimals, digits)).toEqual(expected);
    }
    expect(accepted(min, max, decimals, decimals + 1)).toEqual([]);
  });

  test('random ranges hold what is drawn from them (seed 5)', () => {
    const draw = new Draw(5);
    for (let i = 0; i < 300; i++) {
      const decimals = draw.below(4);
      const bounds = [0, 0].map(() => Number(((draw.next() - 0.5) * 10 ** draw.below(6)).toFixed(decimals)));
      const [min = 0, max = 0] = bounds.sort((a, b) => a - b);
      const text = walkGrammar(grammarOf(min, max, decimals), () => draw.next());
      expect(Number(text), `${text} of ${min} to ${max}`).toBeGreaterThanOrEqual(min);
      expect(Number(text), `${text} of ${min} to ${max}`).toBeLessThanOrEqual(max);
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
    }
  });

  test('can never be written where no number of so few decimals lies in the range', () => {
    expect(numberRule({ min: 0.2, max: 0.7, decimals: 0 }).kind).toBe('never');
  });

  test('writes at most seven digits before the point of an endless range', () => {
    const draw = new Draw(6);
    const grammar = grammarOf(-Infinity, Infinity, 0);
    const lengths = Array.from({ length: 200 }, () => walkGrammar(grammar, () => draw.next()).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8);
  });
});
