import { type ChildProcess, fork } from 'node:child_process';
import { createChannelTransport } from '../shared/contract/channel.ts';
import { ipcChannel } from '../shared/contract/ipc.ts';
import type { Transport } from '../shared/contract/transport.ts';
import { AppError } from '../shared/std/app-error.ts';
import { killAtExit } from '../shared/std/kill-at-exit.ts';
import { type EngineNotice, engineNotice } from './engine-messages.ts';

export interface EngineProcessOptions {
  readonly root: string;
  /** The engine's entry: out/main/engine.js, or src/main/engine.ts when run from source. */
  readonly entry: string;
  /** Executable to run it under. Default: GYMWRIGHT_NODE, else this one (Electron runs it as Node). */
  readonly nodePath?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** How long it may take to end in good order before it is killed. Default 15 s. */
  readonly graceMs?: number;
}

/**
 * An engine in a process of its own, as a transport. Its death rejects what is open with engine.unavailable and tells
 * onClose.
 */
export interface EngineProcess extends Transport {
  readonly pid: number;
  /** Another process holds the workspace; this one relays to it. */
  readonly isRemote: boolean;
  /** Ends it: runs stop after a checkpoint, then the process exits; after the grace time it is killed. */
  close(): Promise<void>;
}

function environmentFor(nodePath: string | undefined, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isElectron = nodePath === undefined && process.versions.electron !== undefined;
  return isElectron ? { ...env, ELECTRON_RUN_AS_NODE: '1' } : env;
}

/** Resolves once the engine serves. Rejects with its own reason when it cannot (store.locked, store.newerVersion, …). */
export function forkEngine(options: EngineProcessOptions): Promise<EngineProcess> {
  const { root, entry, graceMs = 15_000, env = process.env } = options;
  const nodePath = options.nodePath ?? process.env.GYMWRIGHT_NODE;
  const child = fork(entry, [root], {
    serialization: 'advanced',
    execPath: nodePath ?? process.execPath,
    execArgv: [],
    env: environmentFor(nodePath, env),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  killAtExit(child, process);
  return superviseChild(child, graceMs);
}

function superviseChild(child: ChildProcess, graceMs: number): Promise<EngineProcess> {
  let lastWords: AppError | null = null;
  let isClosing = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  const reason = (how: string): AppError =>
    lastWords ??
    new AppError(
      'engine.unavailable',
      isClosing
        ? 'the engine was closed'
        : `the engine process ended (${how}): start it again; runs resume from their checkpoints`,
      {
        data: { how },
      },
    );
  const transport = createChannelTransport({
    ...ipcChannel(child, () => reason('disconnected')),
    onClose: (listener) => void exited.then((how) => listener(reason(how))),
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    if (child.connected) child.send({ kind: 'engine.close' });
    const killing = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(killing);
  };
  return new Promise((resolve, reject) => {
    const hear = (notice: EngineNotice): void => {
      if (notice.kind === 'engine.failed')
        lastWords = new AppError(notice.error.code, notice.error.message, { data: notice.error.data });
      else resolve({ ...transport, pid: child.pid ?? 0, isRemote: notice.isRemote, close });
    };
    child.on('message', (message) => {
      const notice = engineNotice.safeParse(message);
      if (notice.success) hear(notice.data);
    });
    void exited.then((how) => reject(reason(how)));
  });
}
