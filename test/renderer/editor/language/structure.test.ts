import { describe, expect, test } from 'vitest';
import { renumber } from '../../../../src/renderer/editor/language/structure.ts';
import { semanticTokenTypes } from '../../../../src/shared/contract/edl-documents.ts';

describe('renumber', () => {
  test('gives types the numbers of the editor, whatever order the engine names them in', () => {
    const [first, second] = [semanticTokenTypes.indexOf('set'), semanticTokenTypes.indexOf('unit')];
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
    expect([...renumber(['mood'], [0, 1, 2, 0, 0])]).toEqual([0, 1, 2, semanticTokenTypes.length, 0]);
  });
});
