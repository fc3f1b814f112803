import {
  DockviewReact,
  type DockviewReadyEvent,
  type DockviewTheme,
  type IDockviewPanelHeaderProps,
} from 'dockview-react';
import { useStore } from 'zustand';
import { Icon, type IconName } from '../components/icon.tsx';
import { ChartsPanel } from '../panels/charts/charts-panel.tsx';
import { ComparePanel } from '../panels/compare/compare-panel.tsx';
import { DocumentPanel } from '../panels/document/document-panel.tsx';
import { ExplorerPanel } from '../panels/explorer/explorer-panel.tsx';
import { InboxPanel } from '../panels/inbox/inbox-panel.tsx';
import { LogPanel } from '../panels/log/log-panel.tsx';
import { MemoryPanel } from '../panels/memory/memory-panel.tsx';
import { ProblemsPanel } from '../panels/problems/problems-panel.tsx';
import { ProposalPanel } from '../panels/proposal/proposal-panel.tsx';
import { ReportPanel } from '../panels/report/report-panel.tsx';
import { StudiesPanel } from '../panels/studies/studies-panel.tsx';
import { WatchPanel } from '../panels/watch/watch-panel.tsx';
import { documentKindOf, isDirty } from '../state/document.ts';
import { useWorkbench } from './workbench-context.tsx';

const components = {
  explorer: ExplorerPanel,
  studies: StudiesPanel,
  charts: ChartsPanel,
  inbox: InboxPanel,
  compare: ComparePanel,
  problems: ProblemsPanel,
  log: LogPanel,
  report: ReportPanel,
  watch: WatchPanel,
  memory: MemoryPanel,
  document: DocumentPanel,
  proposal: ProposalPanel,
};

const icons: Readonly<Record<string, IconName>> = {
  explorer: 'folder',
  studies: 'runs',
  charts: 'chart',
  inbox: 'inbox',
  compare: 'compare',
  problems: 'problems',
  log: 'log',
  report: 'report',
  watch: 'watch',
  memory: 'memory',
  proposal: 'inbox',
};

const theme: DockviewTheme = {
  name: 'gymwright',
  className: 'dockview-theme-gymwright',
  gap: 0,
  dndTabIndicator: 'line',
};

/** The dock with all panels in it. */
export function DockArea({ onReady }: { onReady: (event: DockviewReadyEvent) => void }) {
  return (
    <main className="dock">
      <DockviewReact
        components={components}
        defaultTabComponent={DockTab}
        theme={theme}
        onReady={onReady}
        disableFloatingGroups={false}
      />
    </main>
  );
}

function DockTab({ api, params }: IDockviewPanelHeaderProps<{ path?: string }>) {
  const { documents } = useWorkbench();
  const path = params.path;
  const isUnsaved = useStore(documents.store, (state) => {
    const document = path === undefined ? undefined : state.documents.get(path);
    return document !== undefined && isDirty(document);
  });
  const icon = path === undefined ? icons[api.component] : iconOfDocument(path);
  return (
    <div className="dock-tab" title={path ?? api.title}>
      {icon ? <Icon name={icon} /> : null}
      <span>{api.title}</span>
      <button
        type="button"
        className="close"
        aria-label={isUnsaved ? `Close ${api.title}, which has unsaved changes` : `Close ${api.title}`}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          api.close();
        }}
      >
        {isUnsaved ? <span className="dot" data-tone="accent" /> : <Icon name="close" />}
      </button>
    </div>
  );
}

function iconOfDocument(path: string): IconName {
  const kind = documentKindOf(path);
  return kind === 'other' ? 'file' : kind;
}
