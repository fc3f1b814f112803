import { ipcMain } from 'electron';
import { createDispatch } from '../../engine/rpc/dispatcher.ts';
import { type BridgeAnswer, bridgeChannels } from '../../shared/contract/bridge.ts';
import type { DesktopHandlers } from '../../shared/contract/contract.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { EngineHost } from './engine-host.ts';
import { pageOrigin } from './page-protocol.ts';

/**
 * Passes the page's calls to the engine and answers those of `desktop` here. Only the workbench's own top frame is listened to.
 */
export function relayCalls(host: EngineHost, desktop: DesktopHandlers): void {
  const shell = createDispatch({ desktop });
  ipcMain.handle(
    bridgeChannels.request,
    async (event, call: unknown, args: unknown): Promise<BridgeAnswer> => {
      const frame = event.senderFrame;
      const isOwnPage = frame !== null && frame.parent === null && isPageUrl(frame.url);
      if (!isOwnPage || typeof call !== 'string') {
        const error = new AppError('rpc.unauthorized', 'this page may not use the engine');
        return { ok: false, error: error.toPayload() };
      }
      if (call.startsWith('desktop.')) return shell(call, args);
      try {
        return { ok: true, value: await host.request(call, args) };
      } catch (thrown) {
        return { ok: false, error: AppError.from(thrown).toPayload() };
      }
    },
  );
}

/** Whether an address belongs to the workbench's page. */
export function isPageUrl(url: string): boolean {
  return url.startsWith(`${pageOrigin}/`);
}
