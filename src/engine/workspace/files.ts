import { accessSync, constants, opendirSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import type { WorkspaceEntry } from '../../shared/contract/workspace.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { decodeUtf8, fileError, makeFolder, readFileBytes, sha256, writeWhole } from '../files/index.ts';
import { resolveInside } from './paths.ts';

/** The files of a workspace folder, as the contract's `workspace` domain shows them. Paths are relative, forward slashes. */
export interface WorkspaceFiles {
  readonly root: string;
  readonly name: string;
  isReadOnly(): boolean;
  /** Throws workspace.unreadable. */
  list(): WorkspaceEntry[];
  /** Throws workspace.notFound, workspace.unreadable, input.invalid (outside, binary, too large). */
  read(path: string): { text: string; hash: string };
  /** Throws workspace.conflict, workspace.readOnly, workspace.diskFull, input.invalid. */
  write(path: string, text: string, baseHash: string | null): { hash: string };
}

/** Larger texts are no EDL, prompt or experiment. */
export const maxTextBytes = 4 * 1024 * 1024;
const maxEntries = 20_000;
const maxDepth = 16;
const ignoredFolders = new Set(['node_modules', '__pycache__']);

/** Throws workspace.notFound when the folder does not exist, workspace.unreadable when it cannot be entered. */
export function openWorkspaceFiles(folder: string): WorkspaceFiles {
  const root = realRoot(folder);
  return {
    root,
    name: basename(root),
    isReadOnly: () => !canWrite(root),
    list: () => listFolder(root),
    read: (path) => readText(root, path),
    write: (path, text, baseHash) => writeText(root, path, text, baseHash),
  };
}

function realRoot(folder: string): string {
  const path = resolve(folder);
  try {
    if (!statSync(path).isDirectory())
      throw new AppError('input.invalid', `${path} is a file: a workspace is a folder`);
    opendirSync(path).closeSync();
    return realpathSync(path);
  } catch (error) {
    throw error instanceof AppError ? error : fileError(error, 'read', path);
  }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function kindOf(path: string, stats: Stats): WorkspaceEntry['kind'] {
  if (stats.isDirectory()) return 'folder';
  const extension = extname(path).toLowerCase();
  if (extension === '.edl') return 'environment';
  if (extension === '.gguf') return 'model';
  if (extension === '.md' && path.startsWith('prompts/')) return 'prompt';
  if ((extension === '.yaml' || extension === '.yml') && path.startsWith('experiments/')) return 'experiment';
  return 'other';
}

function listFolder(root: string): WorkspaceEntry[] {
  const entries: WorkspaceEntry[] = [];
  collect(root, '', 0, entries);
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function collect(root: string, folder: string, depth: number, entries: WorkspaceEntry[]): void {
  for (const name of namesIn(resolve(root, folder), depth)) {
    if (name.startsWith('.') || ignoredFolders.has(name) || entries.length >= maxEntries) continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    const stats = statOrNull(root, path);
    if (stats === null || !(stats.isFile() || stats.isDirectory())) continue;
    entries.push({
      path,
      kind: kindOf(path, stats),
      size: stats.isFile() ? stats.size : 0,
      modifiedAt: stats.mtimeMs,
    });
    if (stats.isDirectory() && depth < maxDepth) collect(root, path, depth + 1, entries);
  }
}

/** A folder deeper down that cannot be read shows as empty; an unreadable workspace is an error. */
function namesIn(path: string, depth: number): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (depth > 0) return [];
    throw fileError(error, 'read', path);
  }
}

/** Null for what vanished meanwhile and for links that lead out of the workspace. */
function statOrNull(root: string, path: string): Stats | null {
  try {
    return statSync(resolveInside(root, path));
  } catch {
    return null;
  }
}

function readText(root: string, path: string): { text: string; hash: string } {
  const full = resolveInside(root, path);
  try {
    const stats = statSync(full);
    if (!stats.isFile())
      throw new AppError('input.invalid', `${path} is no file; name a text file`, { data: { path } });
    if (stats.size > maxTextBytes) throw tooLarge(path, stats.size);
    const text = decodeText(path, readFileBytes(full, path, maxTextBytes));
    return { text, hash: sha256(text) };
  } catch (error) {
    throw error instanceof AppError ? error : fileError(error, 'read', path);
  }
}

function tooLarge(path: string, size: number): AppError {
  return new AppError(
    'input.invalid',
    `${path} is too large to edit (${size} bytes, at most ${maxTextBytes})`,
    {
      data: { path, size, limit: maxTextBytes },
    },
  );
}

function decodeText(path: string, bytes: Buffer): string {
  const text = bytes.includes(0) ? null : decodeUtf8(bytes);
  if (text !== null) return text;
  throw new AppError('input.invalid', `${path} is no UTF-8 text and cannot be shown or edited`, {
    data: { path },
  });
}

function writeText(root: string, path: string, text: string, baseHash: string | null): { hash: string } {
  const full = resolveInside(root, path);
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    const message = `${path} cannot be written: the text holds a null character or half of a surrogate pair; take it out`;
    throw new AppError('input.invalid', message, { data: { path } });
  }
  const content = Buffer.from(text, 'utf8');
  if (content.length > maxTextBytes) throw tooLarge(path, content.length);
  requireBase(root, path, baseHash);
  try {
    makeFolder(dirname(full));
    writeWhole(full, content);
  } catch (error) {
    throw fileError(error, 'write', path);
  }
  return { hash: sha256(text) };
}

/** Throws workspace.conflict unless the file is what the writer last saw. */
function requireBase(root: string, path: string, baseHash: string | null): void {
  const current = currentHash(root, path);
  if (current === baseHash) return;
  const what =
    current === null ? 'was deleted' : baseHash === null ? 'exists already' : 'was changed by someone else';
  throw new AppError(
    'workspace.conflict',
    `${path} ${what} meanwhile; nothing was written: read it again and merge your text`,
    {
      data: { path, hash: current },
    },
  );
}

function currentHash(root: string, path: string): string | null {
  try {
    return readText(root, path).hash;
  } catch (error) {
    if (error instanceof AppError && error.code === 'workspace.notFound') return null;
    throw error;
  }
}
