import type { Migration } from './migration.ts';

/** Adds what a person told the coaches to forget, and the vectors of texts that were computed once. */
export const memory: Migration = {
  version: 5,
  slug: 'memory',
  up(db) {
    db.exec(`
      CREATE TABLE forgotten (
        proposal_id TEXT PRIMARY KEY REFERENCES proposals (proposal_id) ON DELETE CASCADE, forgotten_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE embeddings (
        model_hash TEXT NOT NULL, text_hash TEXT NOT NULL REFERENCES texts (hash), vector BLOB NOT NULL,
        PRIMARY KEY (model_hash, text_hash)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
