import { openEngine, relayTransport, serveChannel } from '../engine/rpc/index.ts';
import { ipcChannel } from '../shared/contract/ipc.ts';
import { AppError } from '../shared/std/app-error.ts';
import { type EngineNotice, engineOrder } from './engine-messages.ts';

/**
 * Entry of the engine process: forked by a shell with the workspace folder as its argument, it answers the contract over the
 * fork's IPC. When another engine holds the workspace it relays to that one. It ends when its parent is gone.
 */
function tell(notice: EngineNotice): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(notice, () => resolve());
  });
}

async function fail(thrown: unknown): Promise<never> {
  const error = AppError.from(thrown);
  console.error(error.cause ?? error);
  await tell({ kind: 'engine.failed', error: error.toPayload() });
  process.exit(1);
}

async function main(root: string): Promise<void> {
  const { transport, isRemote, close } = await openEngine({ root });
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
  transport.onClose((reason) => void fail(reason));
  const gone = () => new AppError('rpc.disconnected', 'the window or server in front of this engine is gone');
  serveChannel(ipcChannel(process, gone), relayTransport(transport));
  await tell({ kind: 'engine.ready', isRemote });
}

process.on('uncaughtException', (error) => void fail(error));
process.on('unhandledRejection', (error) => void fail(error));
const [root] = process.argv.slice(2);
if (root === undefined || process.send === undefined) {
  console.error('this is the engine process of Gymwright; start it through `gymwright`');
  process.exit(2);
}
main(root).catch(fail);
