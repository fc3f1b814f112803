import type { Diagnostic } from '../../shared/contract/edl.ts';
import type { MonacoApi } from './load-monaco.ts';

type MarkerData = Parameters<MonacoApi['editor']['setModelMarkers']>[2][number];

/** Monaco counts lines and columns from one, diagnostics from zero; a zero-width range gets one column to be seen. */
export function markersOf(monaco: MonacoApi, diagnostics: readonly Diagnostic[]): MarkerData[] {
  const severities = {
    error: monaco.MarkerSeverity.Error,
    warning: monaco.MarkerSeverity.Warning,
    hint: monaco.MarkerSeverity.Hint,
  };
  return diagnostics.map(({ code, severity, message, range: { start, end } }) => {
    const isEmpty = start.line === end.line && start.character === end.character;
    return {
      code,
      severity: severities[severity],
      message,
      startLineNumber: start.line + 1,
      startColumn: start.character + 1,
      endLineNumber: end.line + 1,
      endColumn: end.character + (isEmpty ? 2 : 1),
    };
  });
}
