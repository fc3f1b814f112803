import { edlLanguageId } from '../edl-language-id.ts';
import type { MonacoApi } from '../load-monaco.ts';
import { toEditorRange, toSourceRange } from './convert.ts';
import { askAbout } from './editor-language.ts';

/** Offers what the diagnostics suggest (Ctrl+.), the best one first. */
export function registerQuickFixes(monaco: MonacoApi): void {
  monaco.languages.registerCodeActionProvider(edlLanguageId, {
    async provideCodeActions(model, range, context) {
      const versionId = model.getVersionId();
      const fixes = (await askAbout(model, 'fixes', { range: toSourceRange(range) })) ?? [];
      const actions = fixes.map(({ title, code, range: at, edits, isPreferred }) => ({
        title,
        kind: 'quickfix',
        isPreferred,
        diagnostics: context.markers.filter(
          (marker) => marker.code === code && monaco.Range.equalsRange(marker, toEditorRange(at)),
        ),
        edit: {
          edits: edits.map((edit) => ({
            resource: model.uri,
            versionId,
            textEdit: { range: toEditorRange(edit.range), text: edit.text },
          })),
        },
      }));
      return { actions, dispose: () => undefined };
    },
  });
}
