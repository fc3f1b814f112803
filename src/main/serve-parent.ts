import { type OpenedEngine, relayTransport, serveChannel } from '../engine/rpc/index.ts';
import { ipcChannel } from '../shared/contract/ipc.ts';
import { AppError } from '../shared/std/app-error.ts';
import { type EngineNotice, engineOrder } from './engine-messages.ts';

function tell(notice: EngineNotice): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(notice, () => resolve());
  });
}

/** The last words of this process: the parent hears why, the terminal sees the stack. */
async function fail(thrown: unknown): Promise<never> {
  const error = AppError.from(thrown);
  if (error.code === 'internal') console.error(error.cause ?? error);
  await tell({ kind: 'engine.failed', error: error.toPayload() });
  process.exit(1);
}

async function openAndServe(open: () => Promise<OpenedEngine>): Promise<void> {
  const { transport, isRemote, close } = await open();
  let isClosing = false;
  const closeAndExit = (): void => {
    if (isClosing) return;
    isClosing = true;
    close().then(() => process.exit(0), fail);
  };
  process.on('disconnect', closeAndExit);
  process.on('message', (message) => {
    if (engineOrder.safeParse(message).success) closeAndExit();
  });
  transport.onClose((reason) => {
    if (!isClosing) void fail(reason);
  });
  const gone = () => new AppError('rpc.disconnected', 'the window or server in front of this engine is gone');
  serveChannel(ipcChannel(process, gone), relayTransport(transport));
  await tell({ kind: 'engine.ready', isRemote });
  if (!process.connected) closeAndExit();
}

/**
 * Serves an engine to the process that forked this one. When another engine holds the workspace it relays to that one. Ends when
 * it is told to, when the parent is gone, and, with the reason told, on any error that nobody handled.
 */
export function serveParent(open: () => Promise<OpenedEngine>): void {
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (error) => void fail(error));
  openAndServe(open).catch(fail);
}
