import { sha256 } from '../files/index.ts';
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

export function createTexts(db: Connection): TextsWriter {
  const insert = db.prepare('INSERT OR IGNORE INTO texts (hash, text) VALUES (@hash, @text)');
  const select = db.prepare<{ text: string }>('SELECT text FROM texts WHERE hash = @hash');
  return {
    get: (hash) => required(select.get({ hash }), 'text', hash).text,
    has: (hash) => select.get({ hash }) !== undefined,
    put(text) {
      const hash = sha256(text);
      db.write(() => insert.run({ hash, text }));
      return hash;
    },
  };
}
