import { type FSWatcher, watch } from 'node:fs';
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

/**
 * Tells which workspace paths changed, appeared or vanished, a moment after the last change. Uses the system's notifications and falls
 * back to polling where there are none (network folders, exhausted watch limits). Returns the function that ends it.
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
  let watcher: FSWatcher | null = null;

  const compare = (): void => {
    settling = null;
    const next = fingerprints(files);
    const paths = changedPaths(known, next);
    known = next;
    if (paths.length > 0) onChange(paths);
  };
  const compareSoon = (): void => {
    if (settling === null) settling = setTimeout(compare, debounceMs);
    else settling.refresh();
  };
  const poll = (): void => {
    watcher?.close();
    watcher = null;
    polling ??= setInterval(compare, pollMs);
    polling.unref();
  };
  const start = (): void => {
    try {
      watcher = watch(files.root, { recursive: true, persistent: false }, (_event, name) => {
        if (name === null || !isIgnored(name)) compareSoon();
      });
      watcher.on('error', poll);
    } catch {
      poll();
    }
  };
  if (isPolling) poll();
  else start();
  return () => {
    watcher?.close();
    if (polling !== null) clearInterval(polling);
    if (settling !== null) clearTimeout(settling);
  };
}

function isIgnored(name: string): boolean {
  return name.split(/[\\/]/).some((part) => part.startsWith('.') || part === 'node_modules');
}

function fingerprints(files: WorkspaceFiles): Map<string, string> {
  const describe = (entry: WorkspaceEntry) =>
    entry.kind === 'folder' ? 'folder' : `${entry.size} ${entry.modifiedAt}`;
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
