import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';

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

/** The workspace of an experiment file: as `findWorkspace` from the file, and above a folder called experiments. */
export function workspaceOfFile(file: string, named: string | undefined): string {
  if (named !== undefined) return findWorkspace(named);
  const folder = path.dirname(path.resolve(file));
  const found = findWorkspace(undefined, folder);
  if (isWorkspace(found)) return found;
  return path.basename(folder) === 'experiments' ? path.dirname(folder) : folder;
}
