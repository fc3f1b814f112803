import type { Diagnostic } from '../../shared/contract/edl.ts';

export type DocumentKind = 'environment' | 'prompt' | 'experiment' | 'other';

/** One open file. `text` is what the person sees, `savedText` and `baseHash` what the file held when last read or written. */
export interface OpenDocument {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly text: string;
  readonly savedText: string;
  readonly baseHash: string | null;
  readonly sync: DocumentSync;
  readonly diagnostics: readonly Diagnostic[];
  /** Counts replacements of the text from outside the editor, so the editor knows when to take it over. */
  readonly revision: number;
}

/** Where the document stands towards its file. */
export type DocumentSync =
  | { readonly state: 'synced' }
  | { readonly state: 'saving' }
  /** The file changed on disk under unsaved edits. */
  | { readonly state: 'conflict' }
  | { readonly state: 'failed'; readonly message: string };

export function isDirty(document: OpenDocument): boolean {
  return document.text !== document.savedText;
}

/** The kind by which a file is edited, from its path. */
export function documentKindOf(path: string): DocumentKind {
  if (path.endsWith('.edl')) return 'environment';
  if (path.endsWith('.md')) return 'prompt';
  if (/\.ya?ml$/.test(path)) return 'experiment';
  return 'other';
}

/** Text of an unsaved document as it survives a closed window. */
export interface UnsavedText {
  readonly path: string;
  readonly text: string;
  readonly baseHash: string | null;
}

export function isUnsavedTexts(value: unknown): value is UnsavedText[] {
  return Array.isArray(value) && value.every(isUnsavedText);
}

function isUnsavedText(value: unknown): value is UnsavedText {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<Record<keyof UnsavedText, unknown>>;
  return (
    typeof entry.path === 'string' &&
    typeof entry.text === 'string' &&
    (entry.baseHash === null || typeof entry.baseHash === 'string')
  );
}
