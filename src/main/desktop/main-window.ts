import { BrowserWindow, screen } from 'electron';
import { pageUrl } from './page-protocol.ts';
import { isPageUrl } from './relay.ts';
import { type DesktopMemory, usableBounds } from './window-state.ts';

export interface MainWindowOptions {
  readonly preload: string;
  readonly icon: string;
  readonly memory: DesktopMemory;
}

/** The one window: sandboxed, isolated, unable to leave the workbench's page or to open others. */
export function createMainWindow({ preload, icon, memory }: MainWindowOptions): BrowserWindow {
  const { bounds, isMaximized } = memory.get();
  const displays = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    ...(usableBounds(bounds, displays) ?? { width: 1440, height: 900 }),
    minWidth: 800,
    minHeight: 560,
    show: false,
    backgroundColor: '#eef1f4',
    icon,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (isMaximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () =>
    memory.set({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }),
  );
  confine(window);
  void window.loadURL(pageUrl);
  return window;
}

function confine({ webContents }: BrowserWindow): void {
  webContents.on('will-navigate', (event, url) => {
    if (!isPageUrl(url)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.session.setPermissionRequestHandler((_contents, permission, decide) => {
    decide(permission === 'clipboard-sanitized-write');
  });
}
