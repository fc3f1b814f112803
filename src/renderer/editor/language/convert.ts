import type { SourcePosition, SourceRange } from '../../../shared/contract/source-range.ts';
import { type EditorRange, markerRange } from '../markers.ts';

/** Monaco counts lines and columns from one, the language from zero. */
export function toPosition({ lineNumber, column }: { lineNumber: number; column: number }): SourcePosition {
  return { line: lineNumber - 1, character: column - 1 };
}

export function toSourceRange(range: EditorRange): SourceRange {
  return {
    start: { line: range.startLineNumber - 1, character: range.startColumn - 1 },
    end: { line: range.endLineNumber - 1, character: range.endColumn - 1 },
  };
}

export function toEditorRange(range: SourceRange): EditorRange {
  return markerRange({ range });
}
