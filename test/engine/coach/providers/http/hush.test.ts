import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hushing } from '../../../../../src/engine/coach/providers/http/hush.ts';

const key = 'sk-0123456789abcdef';
const asCodes = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('hushing', () => {
  test.each([
    ['as it is', key, '[key]'],
    ['in lower case, as hosts are', 'sk-0123456789ABCDEF', '[key]'],
    ['twice', `${key} and ${key}`, '[key] and [key]'],
    ['in JSON within an answer', `{"analysis":"${asCodes(key)}"}`, '{"analysis":"[key]"}'],
    ['in JSON within that', JSON.stringify({ raw: `"${asCodes(key)}"` }), '{"raw":"\\"[key]\\""}'],
    ['partly escaped', `sk-${asCodes('0123')}456789abcdef`, '[key]'],
    ['with capital digits', asCodes(key).toUpperCase().replaceAll('\\U', '\\u'), '[key]'],
  ])('takes a key out %s', (_, words, left) => {
    expect(hushing(key)(words)).toBe(left);
  });

  test('leaves other words alone, and keys too short to be one', () => {
    const words = 'sk-0123456789abcdeX, \\u0073k-, \\\\ and "none"';
    expect(hushing(key)(words)).toBe(words);
    expect(hushing('none')('none')).toBe('none');
    expect(hushing(null)(words)).toBe(words);
  });

  test('no key of any characters is left, however often the text is put into JSON (seed 1)', () => {
    const characters = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 8,
      maxLength: 40,
    });
    fc.assert(
      fc.property(characters, fc.integer({ min: 0, max: 3 }), fc.boolean(), (secret, depth, isCoded) => {
        let words = isCoded ? asCodes(secret) : secret;
        for (let i = 0; i < depth; i++) words = JSON.stringify({ words });
        const left = hushing(secret)(words);
        expect(left.split('[key]')).toHaveLength(2);
        expect(left.length).toBeLessThan(words.length);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test('a mebibyte of backslashes takes no time to speak of', () => {
    const words = '\\'.repeat(1 << 20);
    const began = performance.now();
    expect(hushing(key)(words)).toBe(words);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
