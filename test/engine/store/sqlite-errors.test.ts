import { expect, test } from 'vitest';
import { translateSqliteError } from '../../../src/engine/store/sqlite-errors.ts';

const sqliteError = (code: string): Error =>
  Object.assign(new Error('it failed'), { name: 'SqliteError', code });

test.each([
  ['SQLITE_FULL', 'workspace.diskFull'],
  ['SQLITE_READONLY_DBMOVED', 'workspace.readOnly'],
  ['SQLITE_BUSY_SNAPSHOT', 'store.locked'],
  ['SQLITE_CORRUPT_VTAB', 'store.corrupt'],
  ['SQLITE_NOTADB', 'store.corrupt'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'store.constraint'],
  ['SQLITE_IOERR_READ', 'workspace.unreadable'],
  ['SQLITE_CANTOPEN', 'workspace.unreadable'],
  ['SQLITE_MISMATCH', 'internal'],
])('%s becomes %s, names the file and keeps the cause', (sqlite, code) => {
  const cause = sqliteError(sqlite);
  expect(translateSqliteError(cause, '/w/gymwright.db')).toMatchObject({
    code,
    cause,
    message: expect.stringContaining('/w/gymwright.db'),
    data: { sqlite },
  });
});

test('what SQLite did not throw passes through', () => {
  const error = new TypeError('a mistake');
  expect(translateSqliteError(error, 'x')).toBe(error);
});
