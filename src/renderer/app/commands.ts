import { isLive, isResumable } from '../components/run-state.ts';
import { isDirty } from '../state/document.ts';
import { valueOr } from '../state/loadable.ts';
import { themes } from '../state/settings-model.ts';
import { studyLabel } from '../state/study-label.ts';
import { panelNames, panelTitles } from './dock-controller.ts';
import type { WorkbenchContextValue } from './workbench-context.tsx';

/** Something a person can do from the palette or by keyboard. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  /** "Mod" is Ctrl, or Cmd on a Mac. */
  readonly keys?: string;
  /** A word that has to be typed before the palette offers it: for what costs time and cannot be undone. */
  readonly onlyAfter?: string;
  readonly isEnabled: boolean;
  run(): void;
}

type Context = WorkbenchContextValue;

/** Every command in its present state. Built anew when the palette opens and when a chord is pressed. */
export function listCommands(context: Context): readonly Command[] {
  return [
    ...documentCommands(context),
    ...runCommands(context),
    ...viewCommands(context),
    ...workspaceCommands(context),
  ];
}

function documentCommands({ documents, dock, attempt }: Context): Command[] {
  const path = dock.activeDocument();
  const document = path === null ? undefined : documents.store.getState().documents.get(path);
  const isUnsaved = document !== undefined && isDirty(document);
  const group = 'File';
  const onActive = (title: string, work: (path: string) => Promise<unknown>) => () => {
    if (path !== null) void attempt(title, () => work(path));
  };
  return [
    {
      id: 'file.save',
      title: 'Save',
      group,
      keys: 'Mod+S',
      isEnabled: isUnsaved,
      run: onActive('Not saved', documents.save),
    },
    {
      id: 'file.saveAll',
      title: 'Save all',
      group,
      keys: 'Mod+Alt+S',
      isEnabled: true,
      run: () => void documents.saveAll(),
    },
    {
      id: 'file.format',
      title: 'Format environment',
      group,
      keys: 'Shift+Alt+F',
      isEnabled: document?.kind === 'environment',
      run: onActive('The text cannot be formatted while it has errors', documents.format),
    },
    {
      id: 'file.revert',
      title: "Take the file's text",
      group,
      isEnabled: isUnsaved,
      run: onActive('The file was not read', documents.revert),
    },
    { id: 'file.close', title: 'Close tab', group, keys: 'Alt+W', isEnabled: true, run: dock.closeActive },
  ];
}

function runCommands({ studies, attempt, dock, client }: Context): Command[] {
  const state = studies.store.getState();
  const active = valueOr(state.studies, []).find((study) => study.studyId === state.activeStudyId);
  const group = 'Runs';
  const onActive = (title: string, work: (studyId: string) => Promise<unknown>) => () => {
    if (active) void attempt(title, () => work(active.studyId));
  };
  const name = active ? `the study ${studyLabel(active)}` : 'the study';
  const run = active?.runs.find((other) => other.state === 'running');
  return [
    {
      id: 'run.pause',
      title: `Pause ${name}`,
      group,
      isEnabled: active?.state === 'running',
      run: onActive('Not paused', studies.pause),
    },
    {
      id: 'run.unpause',
      title: `Continue ${name}`,
      group,
      isEnabled: active?.state === 'paused',
      run: onActive('Not continued', studies.unpause),
    },
    {
      id: 'run.stop',
      title: `Stop ${name}`,
      group,
      isEnabled: active !== undefined && isLive(active.state),
      run: onActive('Not stopped', studies.stop),
    },
    {
      id: 'run.resume',
      title: `Resume ${name}`,
      group,
      isEnabled: active !== undefined && isResumable(active.state),
      run: onActive('Not resumed', studies.resume),
    },
    {
      id: 'coach.request',
      title: 'Ask the coach at the next round',
      group,
      isEnabled: run !== undefined,
      run: () => {
        if (run)
          void attempt('The coach was not asked', () => client.coach.requestProposal({ runId: run.runId }));
      },
    },
    {
      id: 'run.compare',
      title: 'Compare the chosen runs',
      group,
      isEnabled: state.chosenRunIds.length > 0,
      run: () => dock.show('compare'),
    },
  ];
}

function viewCommands({ dock, settings }: Context): Command[] {
  const theme = settings.store.getState().theme;
  const names = { light: 'light', dark: 'dark', contrast: 'high contrast' } as const;
  return [
    ...panelNames.map(
      (name, index): Command => ({
        id: `view.${name}`,
        title: `Show ${panelTitles[name]}`,
        group: 'View',
        // The tenth is 0.
        keys: `Alt+${(index + 1) % 10}`,
        isEnabled: true,
        run: () => dock.show(name),
      }),
    ),
    ...themes.map(
      (other): Command => ({
        id: `theme.${other}`,
        title: other === theme ? `Theme: ${names[other]} (in use)` : `Theme: ${names[other]}`,
        group: 'View',
        isEnabled: true,
        run: () => settings.set({ theme: other }),
      }),
    ),
    { id: 'view.reset', title: 'Reset the layout', group: 'View', isEnabled: true, run: dock.resetLayout },
  ];
}

function workspaceCommands({
  workspace,
  studies,
  documents,
  dock,
  attempt,
  status,
  client,
}: Context): Command[] {
  const entries = valueOr(workspace.store.getState().entries, []);
  const editable = entries.filter((entry) => entry.kind !== 'folder' && entry.kind !== 'model');
  const isElectron = status.store.getState().shell?.shell === 'electron';
  return [
    ...editable.map(
      (entry): Command => ({
        id: `open:${entry.path}`,
        title: `Open ${entry.path}`,
        group: 'Files',
        isEnabled: true,
        run: () => dock.openDocument(entry.path),
      }),
    ),
    ...entries
      .filter((entry) => entry.kind === 'experiment')
      .map(
        (entry): Command => ({
          id: `start:${entry.path}`,
          title: `Start ${entry.path}`,
          group: 'Experiments',
          onlyAfter: 'start',
          isEnabled: true,
          run: () =>
            void attempt('The experiment did not start', async () => {
              await documents.saveAll();
              await studies.start({ experimentPath: entry.path });
              dock.show('charts');
            }),
        }),
      ),
    {
      id: 'workspace.open',
      title: 'Open another workspace',
      group: 'Files',
      keys: 'Mod+O',
      isEnabled: isElectron,
      run: () => void attempt('The workspace was not opened', () => client.desktop.openWorkspace({})),
    },
  ];
}
