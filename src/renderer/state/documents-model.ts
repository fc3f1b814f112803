import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { createDebouncer } from './debounce.ts';
import { documentKindOf, isDirty, isUnsavedTexts, type OpenDocument, type UnsavedText } from './document.ts';
import { type KeyValueStorage, readJson } from './storage.ts';

export interface DocumentsState {
  readonly documents: ReadonlyMap<string, OpenDocument>;
}

export interface DocumentsModel {
  readonly store: StoreApi<DocumentsState>;
  /** Reads the file unless it is open already. Throws what `workspace.read` throws. */
  open(path: string): Promise<void>;
  edit(path: string, text: string): void;
  /** Writes the text; a file changed meanwhile turns the document to `conflict` and nothing is written. */
  save(path: string): Promise<boolean>;
  saveAll(): Promise<void>;
  /** Ends a conflict by writing over the file. */
  overwrite(path: string): Promise<boolean>;
  /** Takes the file's text and gives up the unsaved one. */
  revert(path: string): Promise<void>;
  format(path: string): Promise<void>;
  close(path: string): void;
  /** Takes up unsaved texts of an earlier window of this workspace. Returns their paths. */
  restore(workspaceRoot: string): Promise<string[]>;
  /** Writes unsaved texts to storage now; called when the window goes. */
  persistNow(): void;
}

const checkDelayMs = 250;
const persistDelayMs = 300;

/** Open files: texts, checks while typing, saving against the hash the text was based on, unsaved texts over restarts. */
export function createDocumentsModel(client: Client, storage: KeyValueStorage): DocumentsModel {
  const store = createStore<DocumentsState>(() => ({ documents: new Map() }));
  const checks = createDebouncer(checkDelayMs);
  const persistence = createDebouncer(persistDelayMs);
  let storageKey: string | null = null;

  const find = (path: string): OpenDocument | undefined => store.getState().documents.get(path);

  const patch = (path: string, change: Partial<OpenDocument>): void => {
    const document = find(path);
    if (!document) return;
    store.setState((state) => ({ documents: new Map(state.documents).set(path, { ...document, ...change }) }));
  };

  const check = async (path: string): Promise<void> => {
    const document = find(path);
    if (document?.kind !== 'environment') return;
    const { diagnostics } = await client.edl.check({ text: document.text, path });
    if (find(path)?.text === document.text) patch(path, { diagnostics });
  };

  const scheduleCheck = (path: string): void => {
    // A failing check leaves the markers as they are: the connection's own state tells why.
    checks.schedule(path, () => void check(path).catch(() => undefined));
  };

  const persistNow = (): void => {
    if (storageKey === null) return;
    const unsaved: UnsavedText[] = [...store.getState().documents.values()]
      .filter(isDirty)
      .map(({ path, text, baseHash }) => ({ path, text, baseHash }));
    if (unsaved.length === 0) storage.removeItem(storageKey);
    else storage.setItem(storageKey, JSON.stringify(unsaved));
  };
  const schedulePersist = (): void => persistence.schedule('unsaved', persistNow);

  const insert = (path: string, file: { text: string; hash: string } | null, unsaved: UnsavedText | null): void => {
    const savedText = file?.text ?? '';
    const isStale = unsaved !== null && unsaved.baseHash !== (file?.hash ?? null);
    const document: OpenDocument = {
      path,
      kind: documentKindOf(path),
      text: unsaved?.text ?? savedText,
      savedText,
      baseHash: unsaved ? unsaved.baseHash : (file?.hash ?? null),
      sync: isStale ? { state: 'conflict' } : { state: 'synced' },
      diagnostics: [],
      revision: 0,
    };
    store.setState((state) => ({ documents: new Map(state.documents).set(path, document) }));
    scheduleCheck(path);
  };

  const write = async (path: string, baseHash: string | null): Promise<boolean> => {
    const document = find(path);
    if (!document) return false;
    const { text } = document;
    patch(path, { sync: { state: 'saving' } });
    try {
      const { hash } = await client.workspace.write({ path, text, baseHash });
      patch(path, { savedText: text, baseHash: hash, sync: { state: 'synced' } });
      schedulePersist();
      return true;
    } catch (thrown) {
      const error = AppError.from(thrown);
      const isConflict = error.code === 'workspace.conflict';
      patch(path, { sync: isConflict ? { state: 'conflict' } : { state: 'failed', message: error.message } });
      return false;
    }
  };

  const replaceText = (path: string, text: string): void => {
    const document = find(path);
    if (!document) return;
    patch(path, { text, revision: document.revision + 1 });
    scheduleCheck(path);
    schedulePersist();
  };

  const readFile = (path: string): Promise<{ text: string; hash: string } | null> =>
    client.workspace.read({ path }).catch((thrown: unknown) => {
      if (AppError.from(thrown).code === 'workspace.notFound') return null;
      throw thrown;
    });

  /** A file changed outside: an untouched document follows it, an edited one comes into conflict. */
  const followFile = async (path: string): Promise<void> => {
    const file = await readFile(path);
    const document = find(path);
    if (!document || document.sync.state === 'saving' || !file || file.hash === document.baseHash) return;
    if (isDirty(document)) return patch(path, { sync: { state: 'conflict' } });
    patch(path, { savedText: file.text, baseHash: file.hash, sync: { state: 'synced' } });
    replaceText(path, file.text);
  };

  client.on('workspace.changed', ({ paths }) => {
    for (const path of paths) if (find(path)) void followFile(path).catch(() => undefined);
  });

  const model: DocumentsModel = {
    store,
    async open(path) {
      if (find(path)) return;
      const file = await client.workspace.read({ path });
      if (!find(path)) insert(path, file, null);
    },
    edit(path, text) {
      patch(path, { text });
      scheduleCheck(path);
      schedulePersist();
    },
    async save(path) {
      const document = find(path);
      if (!document) return false;
      if (!isDirty(document) && document.sync.state === 'synced') return true;
      return write(path, document.baseHash);
    },
    async saveAll() {
      for (const document of store.getState().documents.values()) if (isDirty(document)) await model.save(document.path);
    },
    async overwrite(path) {
      const file = await readFile(path);
      return write(path, file?.hash ?? null);
    },
    async revert(path) {
      const file = await client.workspace.read({ path });
      patch(path, { savedText: file.text, baseHash: file.hash, sync: { state: 'synced' } });
      replaceText(path, file.text);
    },
    async format(path) {
      const document = find(path);
      if (document?.kind !== 'environment') return;
      const { text } = await client.edl.format({ text: document.text });
      if (find(path)?.text === document.text && text !== document.text) replaceText(path, text);
    },
    close(path) {
      checks.cancel(path);
      store.setState((state) => {
        const documents = new Map(state.documents);
        documents.delete(path);
        return { documents };
      });
      schedulePersist();
    },
    async restore(workspaceRoot) {
      storageKey = `gymwright.unsaved:${workspaceRoot}`;
      const unsaved = readJson(storage, storageKey, isUnsavedTexts) ?? [];
      for (const entry of unsaved) if (!find(entry.path)) insert(entry.path, await readFile(entry.path), entry);
      return unsaved.map((entry) => entry.path);
    },
    persistNow,
  };
  return model;
}
