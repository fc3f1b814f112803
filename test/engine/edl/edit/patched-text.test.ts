import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PatchedText } from '../../../../src/engine/edl/edit/patched-text.ts';
import { applyTextEdits } from '../../../support/apply-text-edits.ts';

describe('PatchedText', () => {
  test('gives the one span that differs', () => {
    const patched = new PatchedText('set agent.accel = 4 m/s^2');
    patched.become('set agent.accel = 3.5 m/s^2');
    expect(patched.edits()).toEqual([{ start: 18, end: 19, text: '3.5' }]);
  });

  test('an unchanged text has no edits, and neither has one that was changed back', () => {
    const patched = new PatchedText('a b c');
    patched.become('a b c');
    expect(patched.edits()).toEqual([]);
    patched.become('a c');
    patched.become('a b c');
    expect(patched.edits()).toEqual([]);
  });

  test('edits of several steps are told against the original, in order', () => {
    const patched = new PatchedText('one two three');
    patched.become('one 2 three');
    patched.become('zero one 2 three');
    patched.become('zero one 2 3');
    expect(patched.edits()).toEqual([
      { start: 0, end: 0, text: 'zero ' },
      { start: 4, end: 7, text: '2' },
      { start: 8, end: 13, text: '3' },
    ]);
  });

  test('the edits lead from the original to the text, whatever was done to it (seed 11)', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 12 });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 5 }), (original, steps) => {
        const patched = new PatchedText(original);
        for (const step of steps) patched.become(step);
        const edits = patched.edits();
        expect(applyTextEdits(original, edits)).toBe(patched.text);
        expect(patched.text).toBe(steps.at(-1) ?? original);
        for (const [i, edit] of edits.entries()) {
          expect(edit.start).toBeGreaterThanOrEqual(i === 0 ? 0 : (edits[i - 1]?.end ?? 0) + 1);
          expect(original.slice(edit.start, edit.end)).not.toBe(edit.text);
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
