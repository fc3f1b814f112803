import type { Diagnostic } from '../../shared/contract/edl.ts';
import { edlLanguageId } from './edl-language-id.ts';
import type { MonacoApi } from './load-monaco.ts';
import { markerRange } from './markers.ts';

/** Diagnostics of a document by its path, as they stand now. */
export type DiagnosticsOf = (path: string) => readonly Diagnostic[];

let diagnosticsOf: DiagnosticsOf = () => [];

/** Tells where the suggestions come from; the last call holds. */
export function provideDiagnostics(source: DiagnosticsOf): void {
  diagnosticsOf = source;
}

/** Offers each suggestion of a diagnostic as a quick fix (Ctrl+.), the best one first. */
export function registerQuickFixes(monaco: MonacoApi): void {
  monaco.languages.registerCodeActionProvider(edlLanguageId, {
    provideCodeActions(model, range) {
      const path = decodeURI(model.uri.path).replace(/^\//, '');
      const here = diagnosticsOf(path).filter((diagnostic) =>
        monaco.Range.areIntersectingOrTouching(markerRange(diagnostic), range),
      );
      const actions = here.flatMap((diagnostic) =>
        diagnostic.suggestions.map((text, index) => ({
          title: text === '' ? 'Remove it' : `Replace by ${text}`,
          kind: 'quickfix',
          isPreferred: index === 0,
          edit: {
            edits: [
              {
                resource: model.uri,
                versionId: model.getVersionId(),
                textEdit: { range: markerRange(diagnostic), text },
              },
            ],
          },
        })),
      );
      return { actions, dispose: () => undefined };
    },
  });
}
