import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { AppError } from '../../../shared/std/app-error.ts';
import type { RevealPosition } from '../../app/dock-controller.ts';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { isDirty, type OpenDocument } from '../../state/document.ts';
import { valueOr } from '../../state/loadable.ts';

export type DocumentView =
  | { readonly status: 'pending' }
  | { readonly status: 'failed'; readonly error: AppError; retry(): void }
  | {
      readonly status: 'ready';
      readonly document: OpenDocument;
      readonly isDirty: boolean;
      readonly isReadOnly: boolean;
      readonly cursor: RevealPosition;
      edit(text: string): void;
      save(): void;
      format(): void;
      overwrite(): void;
      revert(): void;
      start(): void;
      setCursor(position: RevealPosition): void;
      onReveal(listener: (position: RevealPosition) => void): () => void;
    };

export function useDocument(path: string): DocumentView {
  const { documents, workspace, studies, dock, attempt } = useWorkbench();
  const document = useStore(documents.store, (state) => state.documents.get(path));
  const info = useStore(workspace.store, (state) => state.info);
  const [error, setError] = useState<AppError | null>(null);
  const [cursor, setCursor] = useState<RevealPosition>({ line: 0, character: 0 });
  const [tries, setTries] = useState(0);

  // Dependencies: tries asks again
  useEffect(() => {
    setError(null);
    documents.open(path).catch((thrown: unknown) => setError(AppError.from(thrown)));
  }, [documents, path, tries]);

  if (error && !document) return { status: 'failed', error, retry: () => setTries(tries + 1) };
  if (!document) return { status: 'pending' };
  return {
    status: 'ready',
    document,
    isDirty: isDirty(document),
    isReadOnly: valueOr(info, { root: '', name: '', isReadOnly: false }).isReadOnly,
    cursor,
    edit: (text) => documents.edit(path, text),
    save: () => void documents.save(path),
    format: () =>
      void attempt('The text cannot be formatted while it has errors', () => documents.format(path)),
    overwrite: () => void attempt('The file was not written', () => documents.overwrite(path)),
    revert: () => void attempt('The file was not read', () => documents.revert(path)),
    start: () =>
      void attempt('The experiment did not start', async () => {
        await documents.saveAll();
        await studies.start({ experimentPath: path });
        dock.show('charts');
      }),
    setCursor,
    onReveal: (listener) => dock.onReveal(path, listener),
  };
}
