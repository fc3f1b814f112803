import { createHash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { required } from './not-found.ts';

/** Every text a run used (EDL, prompts, experiments, snapshots, model output), kept once by content. */
export interface TextsReader {
  /** Throws store.notFound. */
  get(hash: string): string;
  has(hash: string): boolean;
}

export interface TextsWriter extends TextsReader {
  /** Stores the text unless it is there, and returns its SHA-256 (hex). */
  put(text: string): string;
}

/** The identity of a text: SHA-256 over UTF-8, hex. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

export function createTexts(db: Connection): TextsWriter {
  const insert = db.prepare('INSERT OR IGNORE INTO texts (hash, text) VALUES (@hash, @text)');
  const select = db.prepare<{ text: string }>('SELECT text FROM texts WHERE hash = @hash');
  return {
    get: (hash) => required(select.get({ hash }), 'text', hash).text,
    has: (hash) => select.get({ hash }) !== undefined,
    put(text) {
      const hash = hashText(text);
      db.write(() => insert.run({ hash, text }));
      return hash;
    },
  };
}
