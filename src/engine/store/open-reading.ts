import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { latestVersion, migrate, refuseNewer, schemaVersion } from './migrations/migrate.ts';

/**
 * Opens a database to read beside a live engine. What cannot be read in place is read from a copy in memory: an older
 * version (migrated there), or a write-ahead database in a folder where SQLite may not put its side files.
 */
export function openForReading(path: string): Database.Database {
  if (!existsSync(path)) return emptyDatabase();
  const db = openInPlace(path) ?? openCopy(path);
  refuseNewer(db, path);
  if (schemaVersion(db) === latestVersion) return db;
  const migrated = copyToMemory(db.serialize());
  db.close();
  migrate(migrated);
  return migrated;
}

function emptyDatabase(): Database.Database {
  const db = new Database(':memory:');
  migrate(db);
  return db;
}

/** Null when SQLite needs side files that it may not create. */
function openInPlace(path: string): Database.Database | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true });
    schemaVersion(db);
    return db;
  } catch (error) {
    db?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY')) return null;
    throw error;
  }
}

/** With its write-ahead log, which may hold the latest commits; SQLite takes both together where it may write. */
function openCopy(path: string): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'gymwright-reading-'));
  const copy = join(folder, 'copy.db');
  try {
    writeFileSync(copy, readFileSync(path));
    if (existsSync(`${path}-wal`)) writeFileSync(`${copy}-wal`, readFileSync(`${path}-wal`));
    const db = new Database(copy);
    const image = db.serialize();
    db.close();
    return copyToMemory(image);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes 18 and 19 of the header say "write-ahead log", which a database in memory cannot have. */
function copyToMemory(image: Buffer): Database.Database {
  const copy = Buffer.from(image);
  copy[18] = 1;
  copy[19] = 1;
  return new Database(copy);
}
