import type { DesktopHandlers } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

/** The `desktop` calls where the workbench is a browser tab: it has no native dialogs and no process of its own to restart. */
export function createBrowserDesktop(version: string): DesktopHandlers {
  return {
    info: () => ({ shell: 'browser', platform: process.platform, version }),
    openWorkspace: () => {
      throw new AppError(
        'desktop.unavailable',
        'a browser tab shows one workspace: start `gymwright serve --workspace DIR` for another',
      );
    },
    restartEngine: () => {
      throw new AppError(
        'desktop.unavailable',
        'the server and its engine are one process: start `gymwright serve` again',
      );
    },
  };
}
