import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';

/**
 * Refuses what SQLite would take for a new database or not explain: a folder in its place, and an empty file beside the runs
 * it knew of. One that was moved away on purpose is gone, not empty. Throws: store.corrupt.
 */
export function requireWhole(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile())
    throw corrupt(path, 'it is a folder, not a database. Move it away, put the database back, and try again');
  if (stats.size > 0) return;
  const numRuns = listRuns(join(dirname(path), 'runs')).length;
  if (numRuns === 0) return;
  throw corrupt(
    path,
    `the database is empty, but the files of ${numRuns} runs lie beside it. Put it back from a backup; ` +
      `or move the folder ${join(dirname(path), 'runs')} away to begin anew, without those runs`,
  );
}

function listRuns(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function corrupt(path: string, what: string): AppError {
  return new AppError('store.corrupt', `${path}: ${what}.`, { data: { path } });
}
