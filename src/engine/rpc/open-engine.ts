import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../shared/contract/client.ts';
import type { Client } from '../../shared/contract/contract.ts';
import type { Transport } from '../../shared/contract/transport.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { openStore } from '../store/index.ts';
import { openWorkspaceFiles } from '../workspace/index.ts';
import { createEngine } from './create-engine.ts';
import { givingUp } from './giving-up.ts';
import { connectInProcess } from './in-process.ts';
import { connectSocket } from './private-socket.ts';
import { type ComposeReading, type ComposeWriting, createContext, createHandlers } from './services.ts';
import { createServed, createVoice } from './voice.ts';

/** A way to something that answers the contract. */
export interface Opened {
  readonly transport: Transport;
  readonly client: Client;
  close(): Promise<void>;
}

export interface OpenedEngine extends Opened {
  /** Another process holds the workspace and does the work; closing here leaves it at it. */
  readonly isRemote: boolean;
  /** Its calls wait however long; those of `client` are given up where the other process does not answer. */
  readonly unhurried: Client;
}

/** How long an engine that just took the workspace is given to say where it listens. */
const startingMs = 5_000;
/** How long an engine that listens is given for a sign of life: well beyond what any call keeps it from listening. */
const defaultSilentMs = 10_000;

export interface OpenEngineOptions {
  readonly root: string;
  readonly compose?: ComposeWriting;
  /** Ends the wait for an engine that holds the workspace. */
  readonly signal?: AbortSignal;
  /** For tests. */
  readonly silentMs?: number;
}

/**
 * Takes the workspace, or connects to the live engine that holds it. Throws what createEngine throws; store.locked only when the
 * holder cannot be reached; engine.unavailable when it does not answer, run.cancelled when the wait for it was ended, as do the
 * calls of the client later on.
 */
export async function openEngine(options: OpenEngineOptions): Promise<OpenedEngine> {
  for (const deadline = Date.now() + startingMs; ; await sleep(50)) {
    try {
      const engine = await createEngine(options);
      const transport = connectInProcess(engine);
      const client = createClient(transport);
      return { transport, client, unhurried: client, isRemote: false, close: engine.close };
    } catch (error) {
      const failure = AppError.from(error);
      if (failure.code !== 'store.locked') throw failure;
      const remote = await connectToHolder(options);
      if (remote !== null) return remote;
      if (Date.now() > deadline) throw failure;
    }
  }
}

/** Null when the holder is gone meanwhile, or does not listen yet. */
async function connectToHolder(options: OpenEngineOptions): Promise<OpenedEngine | null> {
  const { root, signal, silentMs = defaultSilentMs } = options;
  if (signal?.aborted) throw interrupted();
  const store = openStore(openWorkspaceFiles(root).root, { readOnly: true });
  const holder = store.liveHolder();
  store.close();
  if (holder === null || holder.endpoint === null) return null;
  const patience = AbortSignal.timeout(silentMs);
  const end = signal === undefined ? patience : AbortSignal.any([signal, patience]);
  try {
    const { transport, close } = await connectSocket(holder.endpoint, holder.token, end);
    const client = createClient(
      givingUp(transport, {
        silentMs,
        ...(signal !== undefined && { signal }),
        silent: (call) => silent(root, holder.pid, call),
        interrupted: (call) => interrupted(call),
      }),
    );
    const unhurried = createClient(transport);
    return { transport, client, unhurried, isRemote: true, close: async () => close() };
  } catch (error) {
    if (signal?.aborted) throw interrupted();
    if (patience.aborted) throw silent(root, holder.pid);
    if (AppError.from(error).code === 'rpc.disconnected') return null;
    throw error;
  }
}

/** A call that waits in its socket is read as soon as it goes on. */
function tellAsked(call: string | undefined): string {
  return call === undefined ? '' : ` It may still do what it was asked for (${call}) once it goes on.`;
}

function interrupted(call?: string): AppError {
  return new AppError(
    'run.cancelled',
    call === undefined
      ? 'it was interrupted while the engine that holds the workspace was asked'
      : `it was interrupted while the engine that holds the workspace did not answer.${tellAsked(call)}`,
  );
}

function silent(root: string, pid: number, call?: string): AppError {
  return new AppError(
    'engine.unavailable',
    `the engine with pid ${pid}, which holds ${root}, does not answer: it may be stopped. Let it go on (\`fg\` in its terminal, or ` +
      `\`kill -CONT ${pid}\`), or end it with \`kill -KILL ${pid}\`, after which its studies can be resumed; then try again.${tellAsked(call)}`,
    { data: { root, pid } },
  );
}

/**
 * Opens a workspace to read beside a live engine: takes no lease, writes no record. Calls that need the engine are
 * engine.unavailable.
 */
export async function openReader(options: {
  readonly root: string;
  readonly compose?: ComposeReading;
}): Promise<Opened> {
  const compose = options.compose ?? (await import('./compose.ts')).composeReading;
  const files = openWorkspaceFiles(options.root);
  const store = openStore(files.root, { readOnly: true });
  const voice = createVoice();
  const services = compose(files, store, voice);
  const context = createContext(services, { files, store, voice });
  const transport = connectInProcess(createServed(createHandlers(context), voice));
  const close = async (): Promise<void> => {
    await services.close();
    store.close();
  };
  return { transport, client: createClient(transport), close };
}

/** Language, simulator and model files, without any workspace. Other calls are engine.unavailable. */
export async function openTools(): Promise<Opened> {
  const { composeTools } = await import('./compose-tools.ts');
  const voice = createVoice();
  const { handlers, close } = composeTools(process.cwd(), voice);
  const transport = connectInProcess(createServed(handlers, voice));
  return { transport, client: createClient(transport), close };
}
