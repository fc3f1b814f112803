import { edlLanguageId } from '../edl-language-id.ts';
import type { MonacoApi } from '../load-monaco.ts';
import { toEditorRange, toPosition } from './convert.ts';
import { askAbout, editorLanguage, fileScheme, pathOf, type TextModel } from './editor-language.ts';

/** Go to definition, references and rename; places in other files open in the workbench. */
export function registerNavigation(monaco: MonacoApi): void {
  const { languages, editor } = monaco;
  const uriOf = (model: TextModel, path: string | null) =>
    path === null ? model.uri : monaco.Uri.parse(`${fileScheme}:///${encodeURI(path)}`);
  const locations = async (
    model: TextModel,
    question: 'definition' | 'references',
    at: Parameters<typeof toPosition>[0],
  ) => {
    const found = (await askAbout(model, question, { position: toPosition(at) })) ?? [];
    return found.map(({ path, range }) => ({ uri: uriOf(model, path), range: toEditorRange(range) }));
  };
  languages.registerDefinitionProvider(edlLanguageId, {
    provideDefinition: (model, position) => locations(model, 'definition', position),
  });
  languages.registerReferenceProvider(edlLanguageId, {
    // A list can only show texts that are open.
    async provideReferences(model, position) {
      const found = await locations(model, 'references', position);
      return found.filter(({ uri }) => editor.getModel(uri) !== null);
    },
  });
  editor.registerEditorOpener({
    openCodeEditor(_source, resource, target) {
      const path = pathOf({ uri: resource });
      if (path === null) return false;
      const start = target === undefined ? { lineNumber: 1, column: 1 } : startOf(target);
      editorLanguage()?.show(path, toPosition(start));
      return true;
    },
  });
  registerRename(monaco);
}

type Target = { lineNumber: number; column: number } | { startLineNumber: number; startColumn: number };

function startOf(target: Target): { lineNumber: number; column: number } {
  return 'lineNumber' in target ? target : { lineNumber: target.startLineNumber, column: target.startColumn };
}

function registerRename({ languages }: MonacoApi): void {
  languages.registerRenameProvider(edlLanguageId, {
    async resolveRenameLocation(model, position) {
      const found = await askAbout(model, 'prepareRename', { position: toPosition(position) });
      if (found !== null && 'name' in found) return { range: toEditorRange(found.range), text: found.name };
      const range = { ...startOfText, ...model.getWordAtPosition(position) };
      return { range, text: '', rejectReason: reasonOf(found) };
    },
    async provideRenameEdits(model, position, name) {
      const renamed = await askAbout(model, 'rename', { position: toPosition(position), name });
      if (renamed === null || 'refused' in renamed) return { edits: [], rejectReason: reasonOf(renamed) };
      const versionId = model.getVersionId();
      const edits = renamed.edits.map(({ range, text }) => ({
        resource: model.uri,
        versionId,
        textEdit: { range: toEditorRange(range), text },
      }));
      return { edits };
    },
  });
}

const startOfText = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 };

function reasonOf(answer: { readonly refused: string } | null): string {
  if (answer === null) return 'The text has changed: try again.';
  return `${answer.refused.charAt(0).toUpperCase()}${answer.refused.slice(1)}.`;
}
