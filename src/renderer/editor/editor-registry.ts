import { fileScheme } from './language/editor-language.ts';
import type { MonacoApi } from './load-monaco.ts';

type TextModel = ReturnType<MonacoApi['editor']['createModel']>;

/** Text models by path: one per open document, shared by every view of it, so undo survives a closed tab. */
const models = new Map<string, TextModel>();

export function modelFor(monaco: MonacoApi, path: string, language: string, text: string): TextModel {
  const known = models.get(path);
  if (known && !known.isDisposed()) return known;
  const model = monaco.editor.createModel(
    text,
    language,
    monaco.Uri.parse(`${fileScheme}:///${encodeURI(path)}`),
  );
  models.set(path, model);
  return model;
}
