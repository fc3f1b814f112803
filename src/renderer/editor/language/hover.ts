import { edlLanguageId } from '../edl-language-id.ts';
import type { MonacoApi } from '../load-monaco.ts';
import { toEditorRange, toPosition } from './convert.ts';
import { askAbout, editorLanguage } from './editor-language.ts';

/** What the name under the pointer means. */
export function registerHover({ languages }: MonacoApi): void {
  languages.registerHoverProvider(edlLanguageId, {
    async provideHover(model, position) {
      // Without values the rest is still worth showing.
      const values =
        (await editorLanguage()
          ?.runValues()
          .catch(() => undefined)) ?? {};
      const hover = await askAbout(model, 'hover', { position: toPosition(position), values });
      return hover === null
        ? null
        : { range: toEditorRange(hover.range), contents: [{ value: hover.markdown }] };
    },
  });
}
