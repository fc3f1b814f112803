import type { LanguageQuestion, QuestionAnswer, QuestionArgs } from '../../state/language-session.ts';
import type { MonacoApi } from '../load-monaco.ts';

/** What the editor's services ask of the window around them. */
export interface EditorLanguage {
  /** Null when the text changed meanwhile. */
  ask<Q extends LanguageQuestion>(
    question: Q,
    document: { readonly path: string; readonly text: string },
    args: QuestionArgs<Q>,
  ): Promise<QuestionAnswer<Q> | null>;
  /** The canonical layout; null while the text has errors. */
  format(text: string): Promise<string | null>;
  /** Current values of the run that is looked at, by name. */
  runValues(): Promise<Record<string, number>>;
  /** Shows a file of the workspace; positions are zero-based. */
  show(path: string, position: { readonly line: number; readonly character: number }): void;
}

let connected: EditorLanguage | null = null;

/** Connects Monaco's services to a window; the last call holds. */
export function connectLanguage(language: EditorLanguage): void {
  connected = language;
}

export function editorLanguage(): EditorLanguage | null {
  return connected;
}

export type TextModel = ReturnType<MonacoApi['editor']['createModel']>;

export const fileScheme = 'gymwright-file';

/** The workspace path of a model; null for texts that are no open document, such as those of a diff. */
export function pathOf(model: Pick<TextModel, 'uri'>): string | null {
  return model.uri.scheme === fileScheme ? decodeURI(model.uri.path).replace(/^\//, '') : null;
}

/** Asks about the text of a model; null where there is no answer: no document, text moved on, connection gone. */
export async function askAbout<Q extends LanguageQuestion>(
  model: TextModel,
  question: Q,
  args: QuestionArgs<Q>,
): Promise<QuestionAnswer<Q> | null> {
  const path = pathOf(model);
  if (connected === null || path === null || model.isDisposed()) return null;
  // A service that fails shows nothing; that the engine is gone is said elsewhere.
  return connected.ask(question, { path, text: model.getValue() }, args).catch(() => null);
}
