import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { MonacoApi } from './load-monaco.ts';

type MarkerData = Parameters<MonacoApi['editor']['setModelMarkers']>[2][number];

export interface EditorRange {
  readonly startLineNumber: number;
  readonly startColumn: number;
  readonly endLineNumber: number;
  readonly endColumn: number;
}

/** A diagnostic's range as the editor counts: lines and columns from one. */
export function markerRange({ range: { start, end } }: Pick<Diagnostic, 'range'>): EditorRange {
  return {
    startLineNumber: start.line + 1,
    startColumn: start.character + 1,
    endLineNumber: end.line + 1,
    endColumn: end.character + 1,
  };
}

/** Markers for diagnostics; an empty range is widened by a column, so that it can be seen. */
export function markersOf(
  severities: Readonly<Record<'Error' | 'Warning' | 'Hint', MarkerData['severity']>>,
  diagnostics: readonly Diagnostic[],
): MarkerData[] {
  const bySeverity = { error: severities.Error, warning: severities.Warning, hint: severities.Hint };
  return diagnostics.map((diagnostic) => {
    const range = markerRange(diagnostic);
    const isEmpty = range.startLineNumber === range.endLineNumber && range.startColumn === range.endColumn;
    return {
      ...range,
      endColumn: range.endColumn + (isEmpty ? 1 : 0),
      code: diagnostic.code,
      severity: bySeverity[diagnostic.severity],
      message: diagnostic.message,
    };
  });
}
