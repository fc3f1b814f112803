import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder with those on the way; one that is there is fine. Step by step from the nearest one that is there, because
 * Node's own recursion never ends where a parent refuses the creation as if it were missing (/proc, some read-only mounts).
 * Throws: the system's error; `fileError` says it. A parent that is there and still "not found" takes no new folders: EROFS.
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = [];
  let folder = resolve(path);
  for (; !isFolder(folder); folder = dirname(folder)) missing.push(folder);
  for (const each of missing.reverse()) makeOne(each, mode);
}

/** False for what is not there. Throws ENOTDIR where a file is in the way. */
function isFolder(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (dirname(path) === path) throw refusal('ENOENT', path);
    return false;
  }
  if (!stats.isDirectory()) throw refusal('ENOTDIR', path);
  return true;
}

function makeOne(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, mode);
  } catch (thrown) {
    const errno = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    // Somebody else made it meanwhile.
    if (errno === 'EEXIST' && isFolder(path)) return;
    if (errno === 'ENOENT' && isFolder(dirname(path))) throw refusal('EROFS', path, thrown);
    throw thrown;
  }
}

function refusal(code: string, path: string, cause?: unknown): Error {
  return Object.assign(new Error(`${code}: cannot make folder ${path}`, { cause }), { code });
}
