import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import { typedPath } from './command-name.ts';

const isWorkspace = (folder: string) => existsSync(path.join(folder, '.gymwright'));

function* ancestors(folder: string): Generator<string> {
  for (let each = path.resolve(folder); ; each = path.dirname(each)) {
    yield each;
    if (each === path.dirname(each)) return;
  }
}

/**
 * The workspace a command means: the named one, else the nearest folder above `start` that is one, else `start`.
 * Throws workspace.notFound for a named folder that is not there.
 */
export function findWorkspace(named: string | undefined, start: string = process.cwd()): string {
  if (named === undefined) {
    for (const folder of ancestors(start)) if (isWorkspace(folder)) return folder;
    return path.resolve(start);
  }
  const folder = path.resolve(named);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new AppError(
      'workspace.notFound',
      `there is no folder ${folder}; name an existing one with --workspace, or make one with \`gymwright init ${named}\``,
      { data: { path: folder } },
    );
  }
  return folder;
}

const partNames = ['.gymwright', 'environments', 'experiments'];
/** Whether a folder holds what workspaces hold. */
export const hasParts = (folder: string) => partNames.some((name) => existsSync(path.join(folder, name)));

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(({ name }) => path.join(folder, name));
  } catch {
    return [];
  }
}

/**
 * As `findWorkspace`, for commands that only look: a folder that is none is not taken for an empty one. Throws
 * workspace.notFound, with the workspaces just below it, or beside it.
 */
export function findExistingWorkspace(named: string | undefined, start: string = process.cwd()): string {
  const folder = findWorkspace(named, start);
  if (hasParts(folder)) return folder;
  const workspacesIn = (parent: string) => listFolders(parent).filter(isWorkspace);
  const below = workspacesIn(folder);
  const near = (below.length > 0 ? below : workspacesIn(path.dirname(folder))).slice(0, 3);
  const advice =
    near.length > 0
      ? `nearby is ${near.map((each) => typedPath(each, start)).join(', ')}: name it with --workspace DIR`
      : 'name one with --workspace DIR, or make one with `gymwright init DIR`';
  throw new AppError('workspace.notFound', `${folder} is no workspace; ${advice}`, {
    data: { path: folder, near },
  });
}

/** The workspace of an experiment file: as `findWorkspace` from the file, and above a folder called experiments. */
export function workspaceOfFile(file: string, named: string | undefined): string {
  if (named !== undefined) return findWorkspace(named);
  const folder = path.dirname(path.resolve(file));
  const found = findWorkspace(undefined, folder);
  if (isWorkspace(found)) return found;
  return path.basename(folder) === 'experiments' ? path.dirname(folder) : folder;
}
