import type { Client } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

/** An open connection to whatever answers the contract. */
export interface Session {
  readonly client: Client;
  readonly close: () => Promise<void> | void;
}

export interface EngineSession extends Session {
  /** Another process holds the workspace and does the work. */
  readonly isRemote: boolean;
  /** Waits however long where `client` gives up: for who notices silence and interrupts without its help. */
  readonly unhurried: Client;
}

/**
 * The three ways to reach an engine. Loaded when first asked for: `--help` starts without the database, the
 * simulator or the language.
 */
export interface Sessions {
  /** May write: takes the workspace, or speaks to the engine that holds it, for which it waits until `signal` aborts. */
  openEngine(root: string, signal?: AbortSignal): Promise<EngineSession>;
  /** Only reads, also beside a live engine. */
  openReader(root: string): Promise<Session>;
  /** No workspace at all: language, simulator, model files. */
  openTools(): Promise<Session>;
}

export const engineSessions: Sessions = {
  openEngine: async (root, signal) =>
    (await import('../../engine/rpc/open-engine.ts')).openEngine({
      root,
      ...(signal !== undefined && { signal }),
    }),
  openReader: async (root) => (await import('../../engine/rpc/open-engine.ts')).openReader({ root }),
  openTools: async () => (await import('../../engine/rpc/open-engine.ts')).openTools(),
};

/**
 * Opens, works, and closes whatever happens. With a signal the work is given up when it aborts: closing ends what the engine
 * waits for. Throws: model.cancelled then.
 */
export async function withSession<S extends Session, T>(
  opening: Promise<S>,
  work: (session: S) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const session = await opening;
  try {
    if (signal === undefined) return await work(session);
    return await Promise.race([work(session), interrupted(signal)]);
  } finally {
    await session.close();
  }
}

function interrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new AppError('model.cancelled', 'it was interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
