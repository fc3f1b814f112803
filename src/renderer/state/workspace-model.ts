import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '../../shared/contract/index.ts';
import type { WorkspaceEntry } from '../../shared/contract/workspace.ts';
import { failed, type Loadable, pending, ready } from './loadable.ts';

export interface WorkspaceInfo {
  readonly root: string;
  readonly name: string;
  readonly isReadOnly: boolean;
}

export interface WorkspaceState {
  readonly info: Loadable<WorkspaceInfo>;
  readonly entries: Loadable<readonly WorkspaceEntry[]>;
}

export interface WorkspaceModel {
  readonly store: StoreApi<WorkspaceState>;
  refresh(): Promise<void>;
}

/** The open folder and its files, kept current by `workspace.changed`. */
export function createWorkspaceModel(client: Client): WorkspaceModel {
  const store = createStore<WorkspaceState>(() => ({ info: pending, entries: pending }));
  const refresh = async (): Promise<void> => {
    await Promise.all([
      client.workspace.get({}).then(
        (info) => store.setState({ info: ready(info) }),
        (error: unknown) => store.setState({ info: failed(error) }),
      ),
      client.workspace.list({}).then(
        (entries) => store.setState({ entries: ready(entries) }),
        (error: unknown) => store.setState({ entries: failed(error) }),
      ),
    ]);
  };
  client.on('workspace.changed', () => void refresh());
  return { store, refresh };
}
