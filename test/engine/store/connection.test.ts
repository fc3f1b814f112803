import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConnection } from '../../../src/engine/store/connection.ts';
import { migrate } from '../../../src/engine/store/migrations/migrate.ts';
import { createTexts } from '../../../src/engine/store/texts.ts';
import { AppError } from '../../../src/shared/std/app-error.ts';
import { thrownBy } from '../../support/error-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function openRaw(path: string, timeout = 5000): Database.Database {
  const db = new Database(path, { timeout });
  onTestFinished(() => void db.close());
  return db;
}

describe('createConnection', () => {
  test('a full disk is workspace.diskFull, what was committed stays, and writing goes on once there is space', () => {
    const db = openRaw(join(temporaryFolder(), 'full.db'));
    migrate(db);
    const texts = createTexts(createConnection(db, 'full.db', { current: null }));
    const kept = texts.put('kept');
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 2}`);
    const error = thrownBy(() => texts.put('x'.repeat(1_000_000)));
    expect(error.code).toBe('workspace.diskFull');
    expect(error.message).toContain('full.db');
    expect(texts.get(kept)).toBe('kept');
    db.pragma('max_page_count = 100000');
    expect(texts.get(texts.put('x'.repeat(1_000_000)))).toHaveLength(1_000_000);
  });

  test('a transaction that throws leaves nothing behind', () => {
    const db = openRaw(':memory:');
    migrate(db);
    const connection = createConnection(db, 'memory', { current: null });
    const texts = createTexts(connection);
    expect(() =>
      connection.write(() => {
        texts.put('half');
        throw new AppError('internal', 'stop');
      }),
    ).toThrow('stop');
    expect(db.prepare('SELECT count(*) AS n FROM texts').get()).toEqual({ n: 0 });
  });

  test('a database that another process keeps locked is store.locked after the timeout', () => {
    const path = join(temporaryFolder(), 'busy.db');
    const holder = openRaw(path);
    migrate(holder);
    const texts = createTexts(createConnection(openRaw(path, 20), path, { current: null }));
    holder.exec('BEGIN IMMEDIATE');
    expect(thrownBy(() => texts.put('x')).code).toBe('store.locked');
    holder.exec('ROLLBACK');
    expect(texts.has(texts.put('x'))).toBe(true);
  });

  test('a value the schema refuses is store.constraint', () => {
    const db = openRaw(':memory:');
    migrate(db);
    const connection = createConnection(db, 'memory', { current: null });
    const insert = connection.prepare('INSERT INTO texts (hash, text) VALUES (@hash, @text)');
    expect(thrownBy(() => insert.run({ hash: 'h', text: Buffer.from('blob') })).code).toBe(
      'store.constraint',
    );
  });
});
