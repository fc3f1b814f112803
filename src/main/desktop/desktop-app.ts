import path from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import { createSampleWorkspace } from '../../engine/rpc/sample-workspace.ts';
import { bridgeChannels } from '../../shared/contract/bridge.ts';
import type { DesktopHandlers } from '../../shared/contract/contract.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { libraryVersion } from '../../shared/std/library-version.ts';
import { forkEngine } from '../engine-process.ts';
import { createEngineHost, type EngineHost } from './engine-host.ts';
import { createMainWindow } from './main-window.ts';
import { setMenu } from './menu.ts';
import { servePageScheme } from './page-protocol.ts';
import { relayCalls } from './relay.ts';
import { type DesktopMemory, openDesktopMemory } from './window-state.ts';
import { chooseWorkspace, workspaceArgument } from './workspace-choice.ts';

/** Folders of the installation. */
export interface DesktopPaths {
  /** out/, with main, preload and renderer in it. */
  readonly out: string;
  readonly resources: string;
}

/** The shell once Electron is ready: engine, page, window, menu. */
export class DesktopApp {
  private readonly paths: DesktopPaths;
  private readonly memory: DesktopMemory;
  private readonly engine: EngineHost;
  private window: BrowserWindow | null = null;

  constructor(paths: DesktopPaths) {
    this.paths = paths;
    this.memory = openDesktopMemory(app.getPath('userData'));
    const entry = path.join(paths.out, 'main', 'engine.js');
    this.engine = createEngineHost((root) => forkEngine({ root, entry }), {
      event: (name, payload) => this.window?.webContents.send(bridgeChannels.event, name, payload),
      ended: (reason) => this.window?.webContents.send(bridgeChannels.close, reason),
    });
  }

  /** Opens the workspace and the window. A workspace that cannot be opened is said in a dialog, and another can be chosen. */
  async start(args: readonly string[]): Promise<void> {
    servePageScheme(path.join(this.paths.out, 'renderer'));
    relayCalls(this.engine, this.handlers());
    setMenu({
      openWorkspace: () => void this.attempt(() => this.askForWorkspace()),
      restartEngine: () => void this.attempt(() => this.restartEngine()),
    });
    const isOpen = await this.attempt(() => this.openWorkspace(this.initialWorkspace(args)));
    if (!isOpen && !(await this.attempt(() => this.askForWorkspace()))) return app.quit();
    if (this.window === null) this.showWindow();
  }

  /** Another start of the application: the window comes to the front, with the workspace asked for. */
  async receive(args: readonly string[], workingFolder: string): Promise<void> {
    this.window?.restore();
    this.window?.focus();
    await this.attempt(async () => {
      const asked = workspaceArgument(args, workingFolder);
      if (asked !== null) await this.openWorkspace(asked);
    });
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  private initialWorkspace(args: readonly string[]): string {
    return chooseWorkspace({
      argument: workspaceArgument(args, process.cwd()),
      last: this.memory.get().workspace,
      sample: path.join(app.getPath('documents'), 'Gymwright'),
      createSample: createSampleWorkspace,
    });
  }

  private async openWorkspace(root: string): Promise<void> {
    await this.engine.open(root);
    this.memory.set({ workspace: root });
    this.window?.webContents.reload();
  }

  private async restartEngine(): Promise<void> {
    await this.engine.restart();
    this.window?.webContents.reload();
  }

  private async askForWorkspace(): Promise<boolean> {
    const options = {
      title: 'Open a workspace',
      properties: ['openDirectory' as const, 'createDirectory' as const],
    };
    const { canceled, filePaths } = await (this.window
      ? dialog.showOpenDialog(this.window, options)
      : dialog.showOpenDialog(options));
    const [folder] = filePaths;
    if (canceled || folder === undefined) return false;
    await this.openWorkspace(folder);
    return true;
  }

  private showWindow(): void {
    this.window = createMainWindow({
      preload: path.join(this.paths.out, 'preload', 'index.js'),
      icon: path.join(this.paths.resources, 'icons', 'logo.png'),
      memory: this.memory,
    });
    this.window.on('closed', () => {
      this.window = null;
    });
  }

  private handlers(): DesktopHandlers {
    return {
      info: () => ({ shell: 'electron', platform: process.platform, version: libraryVersion }),
      openWorkspace: async () => ({ opened: await this.askForWorkspace() }),
      restartEngine: async () => {
        await this.restartEngine();
        return {};
      },
    };
  }

  /** Runs a step a person asked for; its failure is shown. False when it failed or came to nothing. */
  private async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      return (await work()) !== false;
    } catch (thrown) {
      const error = AppError.from(thrown);
      dialog.showErrorBox('Gymwright', `${error.message}\n\n(${error.code})`);
      return false;
    }
  }
}
