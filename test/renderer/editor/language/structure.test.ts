import { describe, expect, test } from 'vitest';
import { semanticTokenTypes } from '../../../../src/engine/edl/assist/index.ts';
import { renumber, tokenTypes } from '../../../../src/renderer/editor/language/structure.ts';

describe('renumber', () => {
  test('gives types the numbers of the editor, whatever order the engine names them in', () => {
    const [first, second] = [tokenTypes.indexOf('set'), tokenTypes.indexOf('unit')];
    expect([...renumber(['unit', 'set'], [0, 1, 2, 0, 0, 1, 3, 4, 1, 0])]).toEqual([
      0,
      1,
      2,
      second,
      0,
      1,
      3,
      4,
      first,
      0,
    ]);
  });

  test('a type that the editor does not know has no colour', () => {
    expect([...renumber(['mood'], [0, 1, 2, 0, 0])]).toEqual([0, 1, 2, tokenTypes.length, 0]);
  });

  test('the editor has a colour for every type that the engine names', () => {
    expect(
      [...semanticTokenTypes].filter((type) => !(tokenTypes as readonly string[]).includes(type)),
    ).toEqual([]);
  });
});
