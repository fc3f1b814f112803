import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../shared/std/app-error.ts';
import { fileError, findResources, readUtf8 } from '../../files/index.ts';
import { parseTermTable, type TermTable } from './term-table.ts';

/** Where a table lies in a workspace, and in the shipped resources. */
export const termsFile = join('judgements', 'terms.yaml');

/**
 * The table in `file`; null: the workspace's own, else the shipped one.
 * Throws: input.invalid for what is no table, what fileError says for a file that cannot be read.
 */
export function openTermTable(
  workspaceRoot: string,
  file: string | null,
  resourcesFolder?: string,
): { readonly path: string; readonly table: TermTable } {
  const own = join(workspaceRoot, termsFile);
  const path = file ?? (existsSync(own) ? own : join(resourcesFolder ?? shippedFolder(), termsFile));
  return { path, table: parseTermTable(readTable(path), path) };
}

function readTable(path: string): string {
  try {
    return readUtf8(path, path);
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : fileError(thrown, 'read', path);
  }
}

function shippedFolder(): string {
  const found = findResources(termsFile);
  if (found !== null) return found;
  throw new AppError(
    'input.notFound',
    `the shipped table is missing: resources/${termsFile} is not beside this build`,
  );
}
