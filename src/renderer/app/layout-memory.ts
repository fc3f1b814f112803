import type { DockviewApi } from 'dockview-react';
import { readJson } from '../state/storage.ts';
import { buildDefaultLayout } from './dock-controller.ts';
import type { WorkbenchContextValue } from './workbench-context.tsx';

type SavedLayout = ReturnType<DockviewApi['toJSON']>;

/** Restores the panels of the last window of this workspace, or lays out the default ones, and remembers changes. */
export function attachLayout(context: WorkbenchContextValue, api: DockviewApi): void {
  const { dock, storage, workspace } = context;
  const { info } = workspace.store.getState();
  const key = `gymwright.layout:${info.status === 'ready' ? info.value.root : ''}`;
  dock.attach(api);
  if (!restore(api, readJson(storage, key, isSavedLayout))) buildDefaultLayout(dock);
  api.onDidLayoutChange(() => storage.setItem(key, JSON.stringify(api.toJSON())));
  api.onDidRemovePanel((panel) => forgetDocument(context, panel.id));
}

/** A layout of an older version may name panels that are gone: then the default one is used. */
function restore(api: DockviewApi, layout: SavedLayout | null): boolean {
  if (!layout) return false;
  try {
    api.fromJSON(layout);
    return api.panels.length > 0;
  } catch {
    api.clear();
    return false;
  }
}

function isSavedLayout(value: unknown): value is SavedLayout {
  return typeof value === 'object' && value !== null && 'grid' in value && 'panels' in value;
}

/** A closed tab gives its text up unless it is unsaved: that one stays until saved or reverted. */
function forgetDocument({ documents, notices }: WorkbenchContextValue, panelId: string): void {
  if (!panelId.startsWith('document:')) return;
  const path = panelId.slice('document:'.length);
  const document = documents.store.getState().documents.get(path);
  if (!document) return;
  if (document.text === document.savedText) documents.close(path);
  else notices.show('info', `${path} has unsaved changes`, 'They are kept: open the file again to go on.');
}
