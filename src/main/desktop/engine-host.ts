import type { ErrorPayload } from '../../shared/contract/bridge.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { type EngineProcess, forkEngine } from '../engine-process.ts';

/** What the window is told. */
export interface EngineListener {
  event(name: string, payload: unknown): void;
  ended(reason: ErrorPayload): void;
}

/** The engine process of the open workspace: one at a time, replaced when another workspace is opened or after it died. */
export interface EngineHost {
  /** Starts the engine of a workspace; an earlier one is ended first. Throws what opening the workspace throws. */
  open(root: string): Promise<void>;
  restart(): Promise<void>;
  request(call: string, args: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export function createEngineHost(entry: string, listener: EngineListener): EngineHost {
  let root: string | null = null;
  let engine: EngineProcess | null = null;

  const host: EngineHost = {
    async open(next) {
      await host.close();
      root = next;
      const opened = await forkEngine({ root: next, entry });
      engine = opened;
      opened.onEvent((name, payload) => engine === opened && listener.event(name, payload));
      opened.onClose((reason) => {
        if (engine !== opened) return;
        engine = null;
        listener.ended(reason.toPayload());
      });
    },
    async restart() {
      if (root === null) throw new AppError('engine.unavailable', 'no workspace is open: open one first');
      await host.open(root);
    },
    request(call, args) {
      if (engine) return engine.request(call, args);
      return Promise.reject(new AppError('engine.unavailable', 'the engine is not running: start it again'));
    },
    async close() {
      const closing = engine;
      engine = null;
      await closing?.close();
    },
  };
  return host;
}
