import type { DockviewApi } from 'dockview-react';

export const panelNames = [
  'explorer',
  'studies',
  'charts',
  'inbox',
  'compare',
  'problems',
  'log',
  'report',
  'watch',
  'memory',
] as const;
export type PanelName = (typeof panelNames)[number];

export const panelTitles: Readonly<Record<PanelName, string>> = {
  explorer: 'Explorer',
  studies: 'Runs',
  charts: 'Charts',
  inbox: 'Proposals',
  compare: 'Compare',
  problems: 'Problems',
  log: 'Log',
  report: 'Report',
  watch: 'Watch',
  memory: 'Memory',
};

/** Where an editor should put its cursor once it is shown; zero-based. */
export interface RevealPosition {
  readonly line: number;
  readonly character: number;
}

/** Opens and focuses panels. It is there before the dock is mounted; calls before that are dropped. */
export interface Dock {
  attach(api: DockviewApi): void;
  show(name: PanelName): void;
  openDocument(path: string, reveal?: RevealPosition): void;
  openProposal(proposalId: string, title: string): void;
  closeDocument(path: string): void;
  closeActive(): void;
  resetLayout(): void;
  /** Gives the side panels their first widths and heights. */
  resizeSides(): void;
  /** Path of the document whose editor is active. */
  activeDocument(): string | null;
  onReveal(path: string, listener: (position: RevealPosition) => void): () => void;
}

const documentPrefix = 'document:';
const leftPanels: readonly PanelName[] = ['explorer', 'studies'];
const bottomPanels: readonly PanelName[] = ['problems', 'log'];

export function createDock(): Dock {
  let api: DockviewApi | null = null;
  const reveals = new Map<string, (position: RevealPosition) => void>();
  const waiting = new Map<string, RevealPosition>();

  /** A group of the centre: that of an open document, charts, comparison, report and such; else one right of the explorer. */
  const centre = (dock: DockviewApi): { referenceGroup: string } | { direction: 'right' } => {
    const panel = [dock.activePanel, ...dock.panels].find(
      (candidate) =>
        candidate && /^(document:|proposal:|charts$|compare$|report$|watch$|memory$)/.test(candidate.id),
    );
    return panel ? { referenceGroup: panel.group.id } : { direction: 'right' };
  };

  const positionOf = (dock: DockviewApi, name: PanelName) => {
    const sibling = (names: readonly PanelName[]) =>
      names.map((other) => dock.getPanel(other)).find((panel) => panel !== undefined);
    if (leftPanels.includes(name)) {
      const panel = sibling(leftPanels);
      return panel
        ? { referencePanel: panel.id, direction: 'below' as const }
        : { direction: 'left' as const };
    }
    if (bottomPanels.includes(name)) {
      const panel = sibling(bottomPanels);
      return panel ? { referencePanel: panel.id } : { direction: 'below' as const };
    }
    return name === 'inbox' ? { direction: 'right' as const } : centre(dock);
  };

  const add = (name: PanelName): void => {
    if (!api) return;
    api.addPanel({
      id: name,
      component: name,
      title: panelTitles[name],
      position: positionOf(api, name),
    });
  };

  const dock: Dock = {
    attach(next) {
      api = next;
    },
    show(name) {
      const panel = api?.getPanel(name);
      if (panel) panel.api.setActive();
      else add(name);
    },
    openDocument(path, reveal) {
      if (!api) return;
      const id = documentPrefix + path;
      if (reveal) waiting.set(path, reveal);
      const panel = api.getPanel(id);
      if (panel) panel.api.setActive();
      else {
        const title = path.split('/').at(-1) ?? path;
        api.addPanel({ id, component: 'document', title, params: { path }, position: centre(api) });
      }
      const listener = reveals.get(path);
      if (reveal && listener) listener(reveal);
    },
    openProposal(proposalId, title) {
      const id = `proposal:${proposalId}`;
      const panel = api?.getPanel(id);
      if (panel) panel.api.setActive();
      else if (api)
        api.addPanel({ id, component: 'proposal', title, params: { proposalId }, position: centre(api) });
    },
    closeDocument: (path) => api?.getPanel(documentPrefix + path)?.api.close(),
    closeActive: () => api?.activePanel?.api.close(),
    resetLayout() {
      if (!api) return;
      const documents = api.panels
        .filter((panel) => panel.id.startsWith(documentPrefix))
        .map((panel) => panel.id.slice(documentPrefix.length));
      api.clear();
      buildDefaultLayout(dock);
      for (const path of documents) dock.openDocument(path);
    },
    resizeSides() {
      api?.getPanel('explorer')?.api.setSize({ width: 260 });
      api?.getPanel('inbox')?.api.setSize({ width: 340 });
      api?.getPanel('problems')?.api.setSize({ height: 150 });
    },
    activeDocument() {
      const id = api?.activePanel?.id;
      return id?.startsWith(documentPrefix) ? id.slice(documentPrefix.length) : null;
    },
    onReveal(path, listener) {
      reveals.set(path, listener);
      const position = waiting.get(path);
      waiting.delete(path);
      if (position) listener(position);
      return () => reveals.delete(path);
    },
  };
  return dock;
}

/** Charts in the centre, workspace and runs on the left, proposals on the right, problems and log below. */
export function buildDefaultLayout(dock: Dock): void {
  dock.show('charts');
  dock.show('problems');
  dock.show('log');
  dock.show('explorer');
  dock.show('studies');
  dock.show('inbox');
  dock.show('problems');
  dock.show('charts');
  dock.resizeSides();
}
