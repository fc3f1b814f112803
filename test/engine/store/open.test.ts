import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { latestVersion } from '../../../src/engine/store/migrations/migrate.ts';
import { databasePath, openStore } from '../../../src/engine/store/open.ts';
import { thrownBy } from '../../support/error-code.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { openTestStore, storeWithRun } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function writeDatabaseFile(root: string, bytes: string | Uint8Array): void {
  mkdirSync(join(root, '.gymwright'), { recursive: true });
  writeFileSync(databasePath(root), bytes);
}

describe('openStore', () => {
  test('creates the database with the latest version, in write-ahead mode', () => {
    const root = temporaryFolder();
    openTestStore(root);
    const db = new Database(databasePath(root), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(latestVersion);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
  });

  test.skipIf(process.platform === 'win32')(
    'the folder of results is closed to others, whatever the umask',
    () => {
      const before = process.umask(0o002);
      onTestFinished(() => void process.umask(before));
      const root = temporaryFolder();
      openTestStore(root);
      expect(statSync(join(root, '.gymwright')).mode & 0o777).toBe(0o700);
    },
  );

  test('every table is STRICT', () => {
    const root = temporaryFolder();
    openTestStore(root);
    const db = new Database(databasePath(root), { readonly: true });
    const tables = db
      .prepare(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(tables.length).toBeGreaterThan(15);
    expect(tables.filter((table) => (table as { strict: number }).strict !== 1)).toEqual([]);
    db.close();
  });

  test('keeps what was written when it is opened again', () => {
    const root = temporaryFolder();
    storeWithRun(root).close();
    expect(openTestStore(root).runs.get('r1').arm).toBe('coached');
  });

  test('a folder that does not exist is workspace.notFound', () => {
    const error = thrownBy(() => openStore('/nowhere/at/all'));
    expect(error.code).toBe('workspace.notFound');
    expect(error.message).toContain('/nowhere/at/all');
  });

  test('a database of a newer version is refused, unchanged, for writing and for reading', () => {
    const root = temporaryFolder();
    openTestStore(root).close();
    const db = new Database(databasePath(root));
    db.pragma(`user_version = ${latestVersion + 5}`);
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const before = readFileSync(databasePath(root));
    for (const open of [() => openStore(root), () => openStore(root, { readOnly: true })]) {
      const error = thrownBy(open);
      expect(error.code).toBe('store.newerVersion');
      expect(error.message).toMatch(/Update Gymwright/);
    }
    expect(readFileSync(databasePath(root)).equals(before)).toBe(true);
  });

  test('a file that is no database is store.corrupt and is not touched', () => {
    const root = temporaryFolder();
    writeDatabaseFile(root, 'this is a letter to my grandmother, not a database. '.repeat(40));
    for (const open of [() => openStore(root), () => openStore(root, { readOnly: true })]) {
      const error = thrownBy(open);
      expect(error.code).toBe('store.corrupt');
      expect(error.message).toContain('gymwright.db');
    }
    expect(readFileSync(databasePath(root), 'utf8')).toContain('grandmother');
  });

  test('a database with damaged pages is store.corrupt', () => {
    const root = temporaryFolder();
    storeWithRun(root).close();
    const bytes = readFileSync(databasePath(root));
    bytes.fill(0xa5, 100, 8192);
    writeDatabaseFile(root, bytes);
    expect(thrownBy(() => openStore(root)).code).toBe('store.corrupt');
  });

  test('a truncated database is store.corrupt', () => {
    const root = temporaryFolder();
    storeWithRun(root).close();
    writeDatabaseFile(root, readFileSync(databasePath(root)).subarray(0, 5000));
    expect(thrownBy(() => openStore(root)).code).toBe('store.corrupt');
  });

  test.skipIf(process.platform === 'win32')('a read-only workspace folder is workspace.readOnly', () => {
    const root = temporaryFolder();
    chmodSync(root, 0o555);
    const error = asOrdinaryUser(() => thrownBy(() => openStore(root)));
    expect(error.code).toBe('workspace.readOnly');
    expect(error.message).toContain('permissions');
  });

  test.skipIf(process.platform === 'win32')(
    'a database that may not be written is workspace.readOnly',
    () => {
      const root = temporaryFolder();
      storeWithRun(root).close();
      chmodSync(root, 0o755);
      chmodSync(join(root, '.gymwright'), 0o755);
      expect(asOrdinaryUser(() => thrownBy(() => openStore(root))).code).toBe('workspace.readOnly');
    },
  );
});

describe('openStore for reading', () => {
  test('a workspace without results reads as empty and stays without', () => {
    const root = temporaryFolder();
    const reader = openStore(root, { readOnly: true });
    expect(reader.studies.list()).toEqual([]);
    expect(reader.liveHolder()).toBeNull();
    reader.close();
    expect(existsSync(join(root, '.gymwright'))).toBe(false);
  });

  test('sees what the live engine commits after it was opened', () => {
    const store = storeWithRun();
    const root = temporaryFolder();
    const live = openTestStore(root);
    const reader = openStore(root, { readOnly: true });
    expect(reader.studies.list()).toEqual([]);
    const study = store.studies.get('s1');
    live.texts.put(store.texts.get(study.experimentHash));
    live.studies.insert(study);
    expect(reader.studies.list().map(({ studyId }) => studyId)).toEqual(['s1']);
    expect(reader.liveHolder()?.pid).toBe(process.pid);
    reader.close();
  });

  test('does not write', () => {
    const root = temporaryFolder();
    storeWithRun(root);
    const reader = openStore(root, { readOnly: true });
    const writer = reader as ReturnType<typeof openTestStore>;
    expect(thrownBy(() => writer.texts.put('x')).code).toBe('workspace.readOnly');
    reader.close();
  });

  test.skipIf(process.platform === 'win32')('reads a database in a folder that cannot be written', () => {
    const root = temporaryFolder();
    storeWithRun(root).close();
    chmodSync(root, 0o755);
    chmodSync(join(root, '.gymwright'), 0o555);
    const arm = asOrdinaryUser(() => {
      const reader = openStore(root, { readOnly: true });
      const found = reader.runs.get('r1').arm;
      reader.close();
      return found;
    });
    expect(arm).toBe('coached');
    chmodSync(join(root, '.gymwright'), 0o755);
  });

  test('leaves an older database as it is and reads it migrated', () => {
    const root = temporaryFolder();
    storeWithRun(root).close();
    const db = new Database(databasePath(root));
    db.exec('ALTER TABLE decisions DROP COLUMN reason; ALTER TABLE decisions DROP COLUMN validation');
    db.exec('ALTER TABLE trial_pairs DROP COLUMN error');
    db.exec('ALTER TABLE proposals DROP COLUMN untried');
    db.exec('DROP TABLE rollbacks');
    db.exec('DROP TABLE trial_failures; DROP TABLE trial_plans; DROP TABLE series_summary');
    db.exec('DROP TABLE forgotten; DROP TABLE embeddings');
    db.pragma('user_version = 1');
    db.close();
    const reader = openStore(root, { readOnly: true });
    expect(reader.runs.get('r1').runId).toBe('r1');
    expect(reader.series.summaries('r1')).toEqual([]);
    reader.close();
    const after = new Database(databasePath(root), { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(1);
    after.close();
    rmSync(root, { recursive: true });
  });
});
