import type Database from 'better-sqlite3';

/** One step of the schema. Released ones are never edited; `user_version` of the file says which were applied. */
export interface Migration {
  readonly version: number;
  readonly slug: string;
  readonly up: (db: Database.Database) => void;
}
