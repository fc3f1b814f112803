import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkbench } from '../../app/workbench-context.tsx';
import { isDirty } from '../../state/document.ts';
import type { Loadable } from '../../state/loadable.ts';
import { type FileRow, fileRows } from './file-tree.ts';

export interface ExplorerView {
  readonly rows: Loadable<readonly FileRow[]>;
  toggle(row: FileRow): void;
  open(row: FileRow): void;
  refresh(): void;
}

const textKinds = new Set(['environment', 'prompt', 'experiment', 'other']);
const maxTextBytes = 2_000_000;

export function useExplorer(): ExplorerView {
  const { workspace, documents, dock, notices } = useWorkbench();
  const entries = useStore(workspace.store, (state) => state.entries);
  const openDocuments = useStore(documents.store, (state) => state.documents);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const dirty = [...openDocuments.values()]
    .filter(isDirty)
    .map((document) => document.path)
    .join('\n');

  const rows = useMemo((): Loadable<readonly FileRow[]> => {
    if (entries.status !== 'ready') return entries;
    return { status: 'ready', value: fileRows(entries.value, collapsed, new Set(dirty.split('\n'))) };
  }, [entries, collapsed, dirty]);

  return {
    rows,
    toggle(row) {
      const next = new Set(collapsed);
      if (!next.delete(row.id)) next.add(row.id);
      setCollapsed(next);
    },
    open(row) {
      const entry =
        entries.status === 'ready' ? entries.value.find((other) => other.path === row.id) : undefined;
      if (textKinds.has(row.kind) && (entry?.size ?? 0) <= maxTextBytes) dock.openDocument(row.id);
      else
        notices.show(
          'info',
          `${row.label} is not a text file`,
          'The editor opens environments, prompts, experiments and other texts up to 2 MB.',
        );
    },
    refresh: () => void workspace.refresh(),
  };
}
