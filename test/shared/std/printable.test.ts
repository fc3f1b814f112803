import { expect, test } from 'vitest';
import { printable } from '../../../src/shared/std/printable.ts';

test('printable spells out what could move a cursor, and leaves layout and letters', () => {
  expect(printable('\x1b[2Jgone\x07\x9b1A\x7f\0')).toBe(String.raw`\x1b[2Jgone\x07\x9b1A\x7f\x00`);
  expect(printable('over\rwritten')).toBe(String.raw`over\x0dwritten`);
  const text = 'a\tb\r\nc\n×–ä😀';
  expect(printable(text)).toBe(text);
});
