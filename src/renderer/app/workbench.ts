import type { Client } from '../../shared/contract/index.ts';
import { DocumentsModel } from '../state/documents-model.ts';
import { createNoticesModel, type NoticesModel } from '../state/notices-model.ts';
import { createProposalsModel, type ProposalsModel } from '../state/proposals-model.ts';
import { createSettingsModel, type SettingsModel, type Theme } from '../state/settings-model.ts';
import { createStatusModel, type StatusModel } from '../state/status-model.ts';
import type { KeyValueStorage } from '../state/storage.ts';
import { createStudiesModel, type StudiesModel } from '../state/studies-model.ts';
import { studyShortId } from '../state/study-label.ts';
import { createWatchModel, type WatchModel } from '../state/watch-model.ts';
import { createWorkspaceModel, type WorkspaceModel } from '../state/workspace-model.ts';

/** All state of a window, fed by one client. Knows no DOM, so tests drive it as it is. */
export interface Workbench {
  readonly client: Client;
  readonly storage: KeyValueStorage;
  readonly workspace: WorkspaceModel;
  readonly documents: DocumentsModel;
  readonly studies: StudiesModel;
  readonly proposals: ProposalsModel;
  readonly status: StatusModel;
  readonly settings: SettingsModel;
  readonly watch: WatchModel;
  readonly notices: NoticesModel;
  /** Loads everything; returns the paths of documents with unsaved text of an earlier window. */
  load(): Promise<string[]>;
  /** Runs a command of the person; a failure becomes a notice under `title`, which goes once it works. */
  attempt(title: string, work: () => Promise<unknown>): Promise<boolean>;
}

export interface WorkbenchOptions {
  readonly client: Client;
  readonly storage: KeyValueStorage;
  readonly systemTheme: Theme;
}

export function createWorkbench({ client, storage, systemTheme }: WorkbenchOptions): Workbench {
  const notices = createNoticesModel();
  tellOfFailures(client, notices);
  const workbench: Workbench = {
    client,
    storage,
    notices,
    workspace: createWorkspaceModel(client),
    documents: new DocumentsModel(client, storage),
    studies: createStudiesModel(client),
    proposals: createProposalsModel(client),
    status: createStatusModel(client),
    settings: createSettingsModel(storage, systemTheme),
    watch: createWatchModel(client),
    async load() {
      await Promise.all([
        workbench.workspace.refresh(),
        workbench.studies.load(),
        workbench.proposals.load(),
        workbench.status.load(),
      ]);
      const { info } = workbench.workspace.store.getState();
      return info.status === 'ready' ? workbench.documents.restore(info.value.root) : [];
    },
    async attempt(title, work) {
      try {
        await work();
        notices.settle(title);
        return true;
      } catch (thrown) {
        notices.report(title, thrown);
        return false;
      }
    },
  };
  return workbench;
}

/** A run that fails is said once, wherever the person looks. */
function tellOfFailures(client: Client, notices: NoticesModel): void {
  /** Title of the notice by run. */
  const told = new Map<string, string>();
  client.on('run.changed', ({ runId, studyId, arm, seed, state, error }) => {
    if (state !== 'failed') {
      const earlier = told.get(runId);
      if (earlier !== undefined) notices.settle(earlier);
      return void told.delete(runId);
    }
    if (told.has(runId)) return;
    const title = `Run ${arm}, seed ${seed}, of ${studyShortId(studyId)} failed`;
    told.set(runId, title);
    const detail = error ? `${error.message} (${error.code})` : 'The log may say more.';
    notices.show('error', title, detail);
  });
}
