import { AppError } from '../../shared/std/app-error.ts';
import { openStore, type Store } from '../store/index.ts';
import { openWorkspaceFiles, type WorkspaceFiles, watchWorkspace } from '../workspace/index.ts';
import { readEngineStatus } from './handlers/engine.ts';
import { listenPrivately, type PrivateSocket } from './private-socket.ts';
import type { Served } from './serve-channel.ts';
import { type ComposeWriting, createContext, createHandlers } from './services.ts';
import { createServed, createVoice, type Voice } from './voice.ts';

/** The engine that holds a workspace: the one writer of its store, the one that trains. */
export interface Engine extends Served {
  readonly root: string;
  /** Where other processes of this user reach it. */
  readonly endpoint: string;
  /** Told once, with the reason, when the engine has ended: closed, or its workspace taken over by another. */
  onClose(listener: (reason: AppError) => void): () => void;
  /** Stops every study after a checkpoint, ends the child processes, gives the workspace free. Idempotent. */
  close(): Promise<void>;
}

export interface EngineOptions {
  readonly root: string;
  /** Default: the real modules. */
  readonly compose?: ComposeWriting;
}

/**
 * Takes the workspace and starts serving it. Throws what openStore throws (store.locked when another engine holds it)
 * and workspace.notFound / workspace.unreadable; then nothing is left open.
 */
export async function createEngine({ root, compose }: EngineOptions): Promise<Engine> {
  const composeServices = compose ?? (await import('./compose.ts')).composeWriting;
  const files = openWorkspaceFiles(root);
  const ending = createEnding();
  const store = openStore(files.root, { onLeaseLost: ending.begin });
  try {
    return await startEngine({ files, store, compose: composeServices, ending });
  } catch (error) {
    store.close();
    throw error;
  }
}

interface Starting {
  readonly files: WorkspaceFiles;
  readonly store: Store;
  readonly compose: ComposeWriting;
  readonly ending: Ending;
}

async function startEngine({ files, store, compose, ending }: Starting): Promise<Engine> {
  const { root } = files;
  const voice = createVoice();
  const services = compose(files, store, voice);
  const context = createContext(services, { files, store, voice });
  const served = createServed(createHandlers(context), voice);
  const socket = await listenPrivately(root, store.token, served);
  store.publishEndpoint(socket.endpoint);
  const stopWatching = watchWorkspace(files, (paths) => voice.emit('workspace.changed', { paths }));
  announceRunningRuns(context, voice);
  voice.write('info', `opened ${root}`);
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= closeAll({ services, socket, store, stopWatching })
      .finally(voice.hub.flush)
      .finally(() => ending.begin(new AppError('engine.unavailable', 'the engine was closed')));
    return closing;
  };
  ending.onBegin((reason) => {
    if (closing !== null) return;
    voice.write('error', reason.message);
    close().catch((error) =>
      voice.write('error', `not closed in good order: ${AppError.from(error).message}`),
    );
  });
  return { ...served, root, endpoint: socket.endpoint, onClose: ending.onBegin, close };
}

/** When and why an engine ends; told once, to latecomers at once. */
interface Ending {
  begin(reason: AppError): void;
  onBegin(listener: (reason: AppError) => void): () => void;
}

function createEnding(): Ending {
  const listeners = new Set<(reason: AppError) => void>();
  let begun: AppError | null = null;
  return {
    begin(reason) {
      if (begun !== null) return;
      begun = reason;
      for (const listener of [...listeners]) listener(reason);
    },
    onBegin(listener) {
      if (begun !== null) listener(begun);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Tells `engine.changed` whenever the number of runs at work is another than last told. */
function announceRunningRuns(context: Parameters<typeof readEngineStatus>[0], voice: Voice): void {
  let told = -1;
  const tellChange = (): void => {
    const status = readEngineStatus(context);
    if (status.runningRuns === told) return;
    told = status.runningRuns;
    voice.emit('engine.changed', status);
  };
  voice.hub.subscribe((event) => {
    if (event === 'run.changed' || event === 'study.changed') tellChange();
  });
  tellChange();
}

interface Closing {
  readonly services: { close(): Promise<void> };
  readonly socket: PrivateSocket;
  readonly store: Store;
  readonly stopWatching: () => void;
}

/** In this order: nothing may write once the store is closed, and nobody may find a socket that does not answer. */
async function closeAll({ services, socket, store, stopWatching }: Closing): Promise<void> {
  stopWatching();
  try {
    await services.close();
  } catch (error) {
    throw AppError.from(error);
  } finally {
    await socket.close();
    store.close();
  }
}
