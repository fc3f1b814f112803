import path from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import { isEdlFile, maxTextLength } from '../edl/index.ts';
import { fileError, readUtf8 } from '../files/index.ts';
import { resolveInside } from '../workspace/index.ts';

/** Finds the file that `extends "…"` names, read from another; null where there is none. */
export type ReadBaseFile = (
  name: string,
  from: string | null,
) => { readonly path: string; readonly text: string } | null;

/** EDL files of a workspace and nothing outside of it: paths are the workspace's. Throws input.invalid for others. */
export function workspaceBaseFiles(root: string): ReadBaseFile {
  return (name, from) => {
    const file = basePath(root, name, from);
    const text = readText(resolveInside(root, file));
    return text === null ? null : { path: file, text };
  };
}

/** The workspace path that `extends` names. */
export function basePath(root: string, name: string, from: string | null): string {
  const own = from === null ? '' : path.isAbsolute(from) ? path.relative(root, from) : from;
  const folder = path.posix.dirname(own.replaceAll('\\', '/'));
  return path.posix.normalize(path.posix.join(folder, name));
}

/** Any EDL file the user may read: for commands, which act with the user's own rights. Paths are absolute. */
export const anyBaseFiles: ReadBaseFile = (name, from) => {
  const file = path.resolve(from === null ? '.' : path.dirname(from), name);
  const text = readText(file);
  return text === null ? null : { path: file, text };
};

/** A character is four bytes at most: a longer file holds more than is read. */
const maxBytes = 4 * maxTextLength;

function readText(file: string): string | null {
  if (!isEdlFile(file))
    throw new AppError('input.invalid', `${file} is no EDL file: its name does not end in .edl`);
  try {
    return readUtf8(file, file, maxBytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileError(error, 'read', file);
  }
}
