import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import { fileError } from '../files/index.ts';

function refuse(path: string, reason: string): AppError {
  return new AppError(
    'input.invalid',
    `"${path}" ${reason}: give a path inside the workspace folder, with forward slashes`,
    {
      data: { path },
    },
  );
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The workspace folder with its links followed. Throws as reading it would: it may be gone, or closed to us, meanwhile. */
function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch (error) {
    throw fileError(error, 'read', root);
  }
}

/** The deepest folder of the path that exists, links resolved. */
function realParent(path: string): string {
  for (let folder = path; ; folder = resolve(folder, '..')) {
    try {
      return realpathSync(folder);
    } catch (error) {
      if (resolve(folder, '..') === folder) throw error;
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // What cannot even be looked at (through a file, a name too long) is told by whoever opens it.
    return false;
  }
}

/**
 * The absolute path of a workspace path. Throws input.invalid for one that leaves the workspace (also through a symbolic
 * link, a dangling one included), that is hidden, or that no file system takes; workspace.notFound, workspace.unreadable
 * when the workspace itself is gone.
 */
export function resolveInside(root: string, path: string): string {
  if (path.includes('\0')) throw refuse(path.replaceAll('\0', '\\0'), 'holds a null character');
  if (isAbsolute(path) || path.includes('\\') || /^[a-zA-Z]:/.test(path))
    throw refuse(path, 'is not relative to the workspace');
  const full = join(root, path);
  if (!isInside(root, full) || full === root) throw refuse(path, 'leaves the workspace');
  if (path.split('/').some((part) => part.startsWith('.') && part !== '.')) throw refuse(path, 'is hidden');
  const isDangling = isLink(full) && realParent(full) !== realpathOrNull(full);
  if (isDangling || !isInside(realRoot(root), realParent(full)))
    throw refuse(path, 'leads out of the workspace by a link');
  return full;
}

/**
 * Whether a path, absolute or relative to the workspace, names something in it once links are followed; hidden files and the
 * workspace itself included. Throws workspace.notFound, workspace.unreadable when the workspace is gone.
 */
export function isWithin(root: string, path: string): boolean {
  if (path.includes('\0')) return false;
  const full = resolve(root, path);
  const isDangling = isLink(full) && realpathOrNull(full) === null;
  return !isDangling && isInside(realRoot(root), realParent(full));
}

function realpathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
