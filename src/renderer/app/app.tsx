import type { DockviewReadyEvent } from 'dockview-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { connectLanguage } from '../editor/language/editor-language.ts';
import { loadMonaco } from '../editor/load-monaco.ts';
import { monacoThemeOf } from '../editor/monaco-theme.ts';
import { readRunValues } from '../state/run-values.ts';
import { CommandPalette } from './command-palette.tsx';
import { DockArea } from './dock-area.tsx';
import { createDock } from './dock-controller.ts';
import { EngineBanner } from './engine-banner.tsx';
import { attachLayout } from './layout-memory.ts';
import { Notices } from './notices.tsx';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { useKeyboard } from './use-keyboard.ts';
import type { Workbench } from './workbench.ts';
import { WorkbenchContext, type WorkbenchContextValue } from './workbench-context.tsx';

/** The whole window. */
export function App({ workbench }: { workbench: Workbench }) {
  /** Counts openings: each palette is a new, empty one. Null while there is none. */
  const [palette, setPalette] = useState<number | null>(null);
  const context = useMemo(() => ({ ...workbench, dock: createDock() }), [workbench]);
  const openPalette = useMemo(() => () => setPalette((count) => (count ?? 0) + 1), []);
  useTheme(workbench);
  useHotExit(workbench);
  useLanguage(context);
  useKeyboard(context, openPalette);

  const onReady = ({ api }: DockviewReadyEvent): void => {
    void workbench.load().then((unsavedPaths) => {
      attachLayout(context, api);
      for (const path of unsavedPaths) context.dock.openDocument(path);
    });
  };

  return (
    <WorkbenchContext value={context}>
      <div className="workbench">
        <TopBar onOpenPalette={openPalette} />
        <EngineBanner />
        <DockArea onReady={onReady} />
        <StatusBar />
      </div>
      <Notices />
      {palette === null ? null : <CommandPalette key={palette} onClose={() => setPalette(null)} />}
    </WorkbenchContext>
  );
}

function useTheme({ settings }: Workbench): void {
  const theme = useStore(settings.store, (state) => state.theme);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    void loadMonaco().then((monaco) => monaco.editor.setTheme(monacoThemeOf(theme)));
  }, [theme]);
}

/** Connects the editor's language services: the engine's language, the run that is looked at, the dock. */
function useLanguage({ client, documents, studies, dock }: WorkbenchContextValue): void {
  useEffect(() => {
    connectLanguage({
      ask: (question, document, args) => documents.language.ask(question, document, args),
      format: (text) =>
        client.edl.format({ text }).then(
          (formatted) => formatted.text,
          () => null,
        ),
      async runValues() {
        const [runId] = studies.store.getState().chosenRunIds;
        return runId === undefined ? {} : readRunValues(client, runId);
      },
      show: (path, position) => dock.openDocument(path, position),
    });
  }, [client, documents, studies, dock]);
}

/** Unsaved texts are written when the page goes, whatever the reason. */
function useHotExit({ documents }: Workbench): void {
  useEffect(() => {
    window.addEventListener('pagehide', documents.persistNow);
    return () => window.removeEventListener('pagehide', documents.persistNow);
  }, [documents]);
}
