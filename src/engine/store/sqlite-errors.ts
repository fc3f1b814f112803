import { AppError, type ErrorCode } from '../../shared/std/app-error.ts';

/** SQLite result code prefixes, most specific first, with the code and the advice a person gets. */
const translations: readonly (readonly [prefix: string, code: ErrorCode, advice: string])[] = [
  [
    'SQLITE_FULL',
    'workspace.diskFull',
    'The disk (or its quota) is full: free some space, then resume. Nothing committed was lost.',
  ],
  [
    'SQLITE_READONLY',
    'workspace.readOnly',
    'The workspace folder or its database cannot be written: check the permissions.',
  ],
  ['SQLITE_BUSY', 'store.locked', 'Another process holds the database: close it, or wait for it to finish.'],
  [
    'SQLITE_LOCKED',
    'store.locked',
    'Another process holds the database: close it, or wait for it to finish.',
  ],
  ['SQLITE_CORRUPT', 'store.corrupt', corruptAdvice()],
  ['SQLITE_NOTADB', 'store.corrupt', corruptAdvice()],
  ['SQLITE_CONSTRAINT', 'store.constraint', 'The record contradicts what is stored.'],
  [
    'SQLITE_IOERR',
    'workspace.unreadable',
    'Reading or writing the disk failed: check the disk and the free space.',
  ],
  [
    'SQLITE_CANTOPEN',
    'workspace.unreadable',
    'The file cannot be opened: check that the folder exists and its permissions.',
  ],
];

function corruptAdvice(): string {
  return (
    'The file is damaged or no database. Move it away (keep it: `sqlite3 FILE .recover` can save parts) and start again; ' +
    'environments, prompts and experiments are separate files and are not affected.'
  );
}

function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== 'SqliteError') return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Turns what better-sqlite3 throws into a coded error that names the file; anything else passes through. */
export function translateSqliteError(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  if (code === null) return error;
  const match = translations.find(([prefix]) => code.startsWith(prefix));
  const [, appCode, advice] = match ?? ['', 'internal' as const, 'This is a defect of Gymwright.'];
  return new AppError(appCode, `${path}: ${(error as Error).message} (${code}). ${advice}`, {
    data: { path, sqlite: code },
    cause: error,
  });
}
