import { AppError } from '../../shared/std/app-error.ts';
import { AssistText, readScene, type Scene } from '../edl/assist/index.ts';
import {
  checkDocument,
  type Diagnosis,
  type EdlHost,
  IncrementalParser,
  maxTextLength,
} from '../edl/index.ts';

/** One file in one window. */
export interface DocumentName {
  readonly session: string;
  readonly path: string;
}

/** A version of a document; a null text closes it. */
export interface DocumentUpdate extends DocumentName {
  readonly version: number;
  readonly text: string | null;
}

export function keyOf({ session, path }: DocumentName): string {
  return `${session}\n${path}`;
}

/** A text that is being edited: what is known of it is kept from one version to the next where it did not change. */
export class LanguageDocument {
  readonly path: string;
  readonly #parser = new IncrementalParser();
  #version: number;
  #text: string;
  #view: AssistText | null = null;
  #checked: Diagnosis | null = null;

  constructor({ path, version }: DocumentUpdate, text: string) {
    this.path = path;
    this.#version = version;
    this.#text = text;
  }

  get version(): number {
    return this.#version;
  }

  get text(): string {
    return this.#text;
  }

  /** The text as services see it: of one that is too long, what could be read. */
  get view(): AssistText {
    this.#view ??= new AssistText(this.#text.slice(0, maxTextLength));
    return this.#view;
  }

  /** Pieces that the last check had to parse. */
  get numParsed(): number {
    return this.#parser.numParsed;
  }

  update(version: number, text: string): void {
    this.#version = version;
    if (text === this.#text) return;
    this.#text = text;
    this.#view = null;
    this.#checked = null;
  }

  scene(host: EdlHost): Scene {
    return readScene(this.view, host, this.path);
  }

  /** Checks the text; a text that extends no file is checked once per version. `checkpoint` may throw to give up. */
  check(host: EdlHost, checkpoint: () => void): Diagnosis {
    if (this.#checked !== null && this.view.headerToken('base') === null) return this.#checked;
    this.#checked = checkDocument(this.#parser, this.#text, { host, path: this.path, checkpoint });
    return this.#checked;
  }
}

/** The documents that are open, by session and path. */
export class OpenDocuments {
  readonly #documents = new Map<string, LanguageDocument>();

  apply(update: DocumentUpdate): void {
    const key = keyOf(update);
    if (update.text === null) return void this.#documents.delete(key);
    const known = this.#documents.get(key);
    if (known === undefined) this.#documents.set(key, new LanguageDocument(update, update.text));
    else known.update(update.version, update.text);
  }

  find(name: DocumentName): LanguageDocument | null {
    return this.#documents.get(keyOf(name)) ?? null;
  }

  /** Throws edl.notOpen, edl.stale. */
  at({ version, ...name }: DocumentName & { readonly version: number }): LanguageDocument {
    const document = this.find(name);
    if (document === null) throw notOpen(name.path);
    if (document.version !== version) throw stale(name.path);
    return document;
  }
}

export function notOpen(path: string): AppError {
  return new AppError('edl.notOpen', `${path} is not open here: open it again with its text`, {
    data: { path },
  });
}

export function stale(path: string): AppError {
  return new AppError('edl.stale', `${path} has changed since, or the request was cancelled: ask again`, {
    data: { path },
  });
}
