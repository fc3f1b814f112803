import type { Migration } from './migration.ts';

/** Adds what the validator said of an edited text, and the decisions of rollbacks. */
export const rollbacks: Migration = {
  version: 4,
  slug: 'rollbacks',
  up(db) {
    db.exec(`
      ALTER TABLE decisions ADD COLUMN validation TEXT;
      CREATE TABLE rollbacks (
        run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE, round INTEGER NOT NULL,
        from_hash TEXT NOT NULL REFERENCES texts (hash), to_hash TEXT NOT NULL REFERENCES texts (hash),
        measured REAL NOT NULL, incumbent REAL NOT NULL, margin REAL NOT NULL,
        proposals TEXT NOT NULL, note TEXT NOT NULL, decided_at INTEGER NOT NULL,
        PRIMARY KEY (run_id, round)
      ) STRICT;
    `);
  },
};
