import type { Diagnostic } from '../../../shared/contract/edl.ts';
import type { SourceRange } from '../types.ts';
import type { TextEdit } from './rename.ts';

/** A change that answers a diagnostic. */
export interface QuickFix {
  readonly title: string;
  readonly code: string;
  /** Where the diagnostic stands. */
  readonly range: SourceRange;
  readonly edits: readonly TextEdit[];
  /** The first of several. */
  readonly isPreferred: boolean;
}

/** What the diagnostics in a range suggest, as edits. */
export function quickFixes(diagnostics: readonly Diagnostic[], range: SourceRange): QuickFix[] {
  return diagnostics
    .filter((diagnostic) => touches(diagnostic.range, range))
    .flatMap((diagnostic) =>
      diagnostic.suggestions.map((text, i) => ({
        title: titleOf(diagnostic.code, text),
        code: diagnostic.code,
        range: diagnostic.range,
        edits: [{ range: diagnostic.range, text }],
        isPreferred: i === 0,
      })),
    );
}

function titleOf(code: string, text: string): string {
  if (text === '') return 'Remove it';
  if (code === 'EDL303') return `Write the unit: ${text}`;
  if (code === 'EDL401') return `Use the nearest bound: ${text}`;
  return `Replace by ${text}`;
}

function touches(a: SourceRange, b: SourceRange): boolean {
  return isUpTo(a.start, b.end) && isUpTo(b.start, a.end);
}

function isUpTo(a: SourceRange['start'], b: SourceRange['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}
