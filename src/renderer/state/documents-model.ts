import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { createDebouncer } from './debounce.ts';
import { documentKindOf, isDirty, isUnsavedTexts, type OpenDocument, type UnsavedText } from './document.ts';
import { LanguageSession } from './language-session.ts';
import { type KeyValueStorage, readJson } from './storage.ts';

export interface DocumentsState {
  readonly documents: ReadonlyMap<string, OpenDocument>;
}

interface FileText {
  readonly text: string;
  readonly hash: string;
}

const checkDelayMs = 150;
const persistDelayMs = 300;

/**
 * Open files: texts, checks while typing, saving against the hash the text was based on, unsaved texts over restarts. Methods are
 * bound, so they can be handed on.
 */
export class DocumentsModel {
  readonly store: StoreApi<DocumentsState> = createStore<DocumentsState>(() => ({ documents: new Map() }));
  /** What the engine's language knows of the open environments. */
  readonly language: LanguageSession;
  private readonly client: Client;
  private readonly storage: KeyValueStorage;
  private readonly checks = createDebouncer(checkDelayMs);
  /** Files that an environment extends, by its path, as of its last check. */
  private readonly bases = new Map<string, readonly string[]>();
  private readonly persistence = createDebouncer(persistDelayMs);
  private storageKey: string | null = null;

  constructor(client: Client, storage: KeyValueStorage) {
    this.client = client;
    this.storage = storage;
    this.language = new LanguageSession(client);
    // A file that cannot be read leaves the document as it is; saving it will say why.
    client.on('workspace.changed', ({ paths }) => {
      for (const path of paths) {
        if (this.find(path)) void this.followFile(path).catch(() => undefined);
        this.checkDependents(path);
      }
    });
  }

  /** Reads the file unless it is open already. Throws what `workspace.read` throws. */
  readonly open = async (path: string): Promise<void> => {
    if (this.find(path)) return;
    const file = await this.client.workspace.read({ path });
    if (!this.find(path)) this.insert(path, file, null);
  };

  readonly edit = (path: string, text: string): void => {
    this.patch(path, { text });
    this.scheduleCheck(path);
    this.checkDependents(path);
    this.schedulePersist();
  };

  /** Writes the text; a file changed meanwhile turns the document to `conflict` and nothing is written. */
  readonly save = async (path: string): Promise<boolean> => {
    const document = this.find(path);
    if (!document) return false;
    if (!isDirty(document) && document.sync.state === 'synced') return true;
    return this.write(path, document.baseHash);
  };

  readonly saveAll = async (): Promise<void> => {
    for (const document of this.store.getState().documents.values()) {
      if (isDirty(document)) await this.save(document.path);
    }
  };

  /** Ends a conflict by writing over the file. */
  readonly overwrite = async (path: string): Promise<boolean> => {
    const file = await this.readFile(path);
    return this.write(path, file?.hash ?? null);
  };

  /** Takes the file's text and gives up the unsaved one. */
  readonly revert = async (path: string): Promise<void> => {
    const file = await this.client.workspace.read({ path });
    this.patch(path, { savedText: file.text, baseHash: file.hash, sync: { state: 'synced' } });
    this.replaceText(path, file.text);
  };

  /** Puts an environment into the canonical layout. Throws edl.invalid while it has errors. */
  readonly format = async (path: string): Promise<void> => {
    const document = this.find(path);
    if (document?.kind !== 'environment') return;
    const { text } = await this.client.edl.format({ text: document.text });
    if (this.find(path)?.text === document.text && text !== document.text) this.replaceText(path, text);
  };

  readonly close = (path: string): void => {
    this.checks.cancel(path);
    this.language.close(path);
    this.bases.delete(path);
    this.store.setState((state) => {
      const documents = new Map(state.documents);
      documents.delete(path);
      return { documents };
    });
    this.schedulePersist();
  };

  /** Takes up unsaved texts of an earlier window of this workspace. Returns their paths. */
  readonly restore = async (workspaceRoot: string): Promise<string[]> => {
    this.storageKey = `gymwright.unsaved:${workspaceRoot}`;
    const unsaved = readJson(this.storage, this.storageKey, isUnsavedTexts) ?? [];
    for (const entry of unsaved) {
      if (!this.find(entry.path)) this.insert(entry.path, await this.readFile(entry.path), entry);
    }
    return unsaved.map((entry) => entry.path);
  };

  /** Writes unsaved texts to storage now; called when the window goes. */
  readonly persistNow = (): void => {
    if (this.storageKey === null) return;
    const unsaved: UnsavedText[] = [...this.store.getState().documents.values()]
      .filter(isDirty)
      .map(({ path, text, baseHash }) => ({ path, text, baseHash }));
    if (unsaved.length === 0) this.storage.removeItem(this.storageKey);
    else this.storage.setItem(this.storageKey, JSON.stringify(unsaved));
  };

  private find(path: string): OpenDocument | undefined {
    return this.store.getState().documents.get(path);
  }

  private patch(path: string, change: Partial<OpenDocument>): void {
    const document = this.find(path);
    if (!document) return;
    this.store.setState((state) => ({
      documents: new Map(state.documents).set(path, { ...document, ...change }),
    }));
  }

  private insert(path: string, file: FileText | null, unsaved: UnsavedText | null): void {
    const fileHash = file?.hash ?? null;
    const isStale = unsaved !== null && unsaved.baseHash !== fileHash;
    const document: OpenDocument = {
      path,
      kind: documentKindOf(path),
      text: unsaved?.text ?? file?.text ?? '',
      savedText: file?.text ?? '',
      baseHash: unsaved ? unsaved.baseHash : fileHash,
      sync: isStale ? { state: 'conflict' } : { state: 'synced' },
      diagnostics: [],
      revision: 0,
    };
    this.store.setState((state) => ({ documents: new Map(state.documents).set(path, document) }));
    this.scheduleCheck(path);
  }

  private async write(path: string, baseHash: string | null): Promise<boolean> {
    const document = this.find(path);
    if (!document) return false;
    const { text } = document;
    this.patch(path, { sync: { state: 'saving' } });
    try {
      const { hash } = await this.client.workspace.write({ path, text, baseHash });
      this.patch(path, { savedText: text, baseHash: hash, sync: { state: 'synced' } });
      this.schedulePersist();
      return true;
    } catch (thrown) {
      const { code, message } = AppError.from(thrown);
      const isConflict = code === 'workspace.conflict';
      this.patch(path, { sync: isConflict ? { state: 'conflict' } : { state: 'failed', message } });
      return false;
    }
  }

  private replaceText(path: string, text: string): void {
    const document = this.find(path);
    if (!document) return;
    this.patch(path, { text, revision: document.revision + 1 });
    this.scheduleCheck(path);
    this.checkDependents(path);
    this.schedulePersist();
  }

  /** Null when the file is gone. */
  private async readFile(path: string): Promise<FileText | null> {
    try {
      return await this.client.workspace.read({ path });
    } catch (thrown) {
      if (AppError.from(thrown).code === 'workspace.notFound') return null;
      throw thrown;
    }
  }

  /** A file changed outside: an untouched document follows it, an edited one comes into conflict. */
  private async followFile(path: string): Promise<void> {
    const file = await this.readFile(path);
    const document = this.find(path);
    if (!document || document.sync.state === 'saving' || !file || file.hash === document.baseHash) return;
    if (isDirty(document)) return this.patch(path, { sync: { state: 'conflict' } });
    this.patch(path, { savedText: file.text, baseHash: file.hash, sync: { state: 'synced' } });
    this.replaceText(path, file.text);
  }

  private scheduleCheck(path: string): void {
    // A failing check leaves the markers as they are: the connection's own state tells why.
    this.checks.schedule(path, () => void this.check(path).catch(() => undefined));
  }

  private schedulePersist(): void {
    this.persistence.schedule('unsaved', this.persistNow);
  }

  /** Environments that extend a file are checked again when it changes. */
  private checkDependents(path: string): void {
    for (const [dependent, bases] of this.bases) if (bases.includes(path)) this.scheduleCheck(dependent);
  }

  /** A newer text ends the check of an older one, whose answer is then none. */
  private async check(path: string): Promise<void> {
    const document = this.find(path);
    if (document?.kind !== 'environment') return;
    const { text } = document;
    const answer = await this.language.ask('diagnose', { path, text }, {});
    if (answer === null || this.find(path)?.text !== text) return;
    this.bases.set(path, answer.bases);
    this.patch(path, { diagnostics: answer.diagnostics });
  }
}
