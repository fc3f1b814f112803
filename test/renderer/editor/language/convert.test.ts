import { expect, test } from 'vitest';
import {
  toEditorRange,
  toPosition,
  toSourceRange,
} from '../../../../src/renderer/editor/language/convert.ts';

test('ranges come back as they went, and positions begin at zero', () => {
  const range = { start: { line: 0, character: 4 }, end: { line: 2, character: 0 } };
  expect(toEditorRange(range)).toEqual({
    startLineNumber: 1,
    startColumn: 5,
    endLineNumber: 3,
    endColumn: 1,
  });
  expect(toSourceRange(toEditorRange(range))).toEqual(range);
  expect(toPosition({ lineNumber: 1, column: 5 })).toEqual(range.start);
});
