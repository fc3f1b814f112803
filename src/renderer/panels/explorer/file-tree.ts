import type { WorkspaceEntry } from '../../../shared/contract/workspace.ts';
import type { TreeRow } from '../../components/tree-view.tsx';

export interface FileRow extends TreeRow {
  readonly kind: WorkspaceEntry['kind'];
  readonly isDirty: boolean;
}

/**
 * Visible rows of the workspace, folders before files, each by name. Entries come as a flat list of paths;
 * what lies in a collapsed folder is left out.
 */
export function fileRows(
  entries: readonly WorkspaceEntry[],
  collapsed: ReadonlySet<string>,
  dirty: ReadonlySet<string>,
): FileRow[] {
  const children = new Map<string, WorkspaceEntry[]>();
  for (const entry of entries) {
    const parent = parentOf(entry.path);
    children.set(parent, [...(children.get(parent) ?? []), entry]);
  }
  const rows: FileRow[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const entry of (children.get(folder) ?? []).sort(byKindAndName)) {
      const isFolder = entry.kind === 'folder';
      const isExpanded = isFolder ? !collapsed.has(entry.path) : null;
      rows.push({
        id: entry.path,
        depth,
        label: nameOf(entry.path),
        kind: entry.kind,
        isExpanded,
        isDirty: dirty.has(entry.path),
      });
      if (isExpanded) visit(entry.path, depth + 1);
    }
  };
  visit('', 0);
  return rows;
}

function parentOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function byKindAndName(a: WorkspaceEntry, b: WorkspaceEntry): number {
  const folders = Number(b.kind === 'folder') - Number(a.kind === 'folder');
  return folders !== 0 ? folders : a.path.localeCompare(b.path, 'en', { numeric: true });
}
