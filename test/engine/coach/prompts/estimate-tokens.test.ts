import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../../src/engine/coach/prompts/estimate-tokens.ts';

describe('estimateTokens', () => {
  // Counted with the vocabulary of SmolLM2.
  test.each([
    ['- crowding (shaping) "Keep off": -4 -> -2 (min -4, max -2), share 100 %', 30],
    ['- agent_0 (agent): collisions 0.0338, cooperation_index 0.467', 25],
    ['You improve the training environment of reinforcement-learning agents.', 11],
  ])('is not below what a small vocabulary makes of %j', (text, counted) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted);
    expect(estimateTokens(text)).toBeLessThan(3 * counted);
  });

  test('more text is never fewer tokens, and blanks alone are none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(estimateTokens(`${a}\n${b}`)).toBe(estimateTokens(a) + 1 + estimateTokens(b));
      }),
    );
    expect(estimateTokens('   ')).toBe(0);
  });

  test('letters of other scripts count by their bytes', () => {
    expect(estimateTokens('日本')).toBe(6);
  });
});
