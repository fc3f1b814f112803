import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { WorkspaceEntry } from '../../shared/contract/workspace.ts';
import type { WorkspaceFiles } from './files.ts';

export interface WatchOptions {
  /** Quiet time before changes are told together. */
  readonly debounceMs?: number;
  /** Interval of looking again where the system cannot notify. */
  readonly pollMs?: number;
  /** Polls from the start. */
  readonly isPolling?: boolean;
}

/** More folders than this are polled: watches are a scarce resource of the system. */
const maxFolders = 1_000;

/**
 * Tells which workspace paths changed, appeared or vanished, a moment after the last change. Watches the folders that the
 * workspace shows (not results, hidden ones or node_modules) and falls back to polling where the system cannot notify
 * (network folders, exhausted watches). Returns the function that ends it.
 */
export function watchWorkspace(
  files: WorkspaceFiles,
  onChange: (paths: string[]) => void,
  options: WatchOptions = {},
): () => void {
  const { debounceMs = 150, pollMs = 2_000, isPolling = false } = options;
  let known = fingerprints(files);
  let settling: NodeJS.Timeout | null = null;
  let polling: NodeJS.Timeout | null = null;

  const compare = (): void => {
    settling = null;
    const next = fingerprints(files);
    const paths = changedPaths(known, next);
    known = next;
    if (polling === null) folders.follow(foldersOf(known));
    if (paths.length > 0) onChange(paths);
  };
  const compareSoon = (): void => {
    if (settling === null) settling = setTimeout(compare, debounceMs);
    else settling.refresh();
  };
  const poll = (): void => {
    folders.close();
    polling ??= setInterval(compare, pollMs);
    polling.unref();
  };
  const folders = createFolderWatch(files.root, compareSoon, poll);
  if (isPolling) poll();
  else folders.follow(foldersOf(known));
  return () => {
    folders.close();
    if (polling !== null) clearInterval(polling);
    if (settling !== null) clearTimeout(settling);
  };
}

function foldersOf(known: ReadonlyMap<string, string>): string[] {
  return ['', ...[...known].filter(([, mark]) => mark === folderMark).map(([path]) => path)];
}

/** One watch per folder; `onFailure` is called when one cannot be had. */
function createFolderWatch(root: string, onEvent: () => void, onFailure: () => void) {
  const watchers = new Map<string, FSWatcher>();
  const add = (folder: string): void => {
    const watcher = watch(join(root, folder), { persistent: false }, (_event, name) => {
      if (name === null || !name.startsWith('.')) onEvent();
    });
    watcher.on('error', onFailure);
    watchers.set(folder, watcher);
  };
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const follow = (folders: readonly string[]): void => {
    const wanted = new Set(folders);
    for (const [folder, watcher] of watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    try {
      if (wanted.size > maxFolders) onFailure();
      else for (const folder of wanted) if (!watchers.has(folder)) add(folder);
    } catch {
      onFailure();
    }
  };
  return { follow, close };
}

const folderMark = 'folder';

function fingerprints(files: WorkspaceFiles): Map<string, string> {
  const describe = (entry: WorkspaceEntry) =>
    entry.kind === 'folder' ? folderMark : `${entry.size} ${entry.modifiedAt}`;
  try {
    return new Map(files.list().map((entry) => [entry.path, describe(entry)]));
  } catch {
    return new Map();
  }
}

function changedPaths(before: Map<string, string>, after: Map<string, string>): string[] {
  const touched = [...after].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path);
  const vanished = [...before.keys()].filter((path) => !after.has(path));
  return [...touched, ...vanished].sort();
}
