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
      if (found === null) throw new Error('The text has changed: try again.');
      if ('refused' in found) throw new Error(sentence(found.refused));
      return { range: toEditorRange(found.range), text: found.name };
    },
    async provideRenameEdits(model, position, name) {
      const renamed = await askAbout(model, 'rename', { position: toPosition(position), name });
      if (renamed === null || 'refused' in renamed) {
        const rejectReason =
          renamed === null ? 'The text has changed: try again.' : sentence(renamed.refused);
        return { edits: [], rejectReason };
      }
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

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
