import type { ErrorPayload } from '../../shared/contract/bridge.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { EngineProcess } from '../engine-process.ts';

/** What the window is told. */
export interface EngineListener {
  event(name: string, payload: unknown): void;
  ended(reason: ErrorPayload): void;
}

/** The engine process of the open workspace: one at a time, replaced when another workspace is opened or after it died. */
export interface EngineHost {
  /**
   * Starts the engine of a workspace and ends the one before. When it cannot start, the one before goes on. Throws what opening the
   * workspace throws.
   */
  open(root: string): Promise<void>;
  /** Ends the engine, if it still lives, and starts it again. */
  restart(): Promise<void>;
  request(call: string, args: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** Orders that start or end engines are carried out one after the other. */
export function createEngineHost(
  fork: (root: string) => Promise<EngineProcess>,
  listener: EngineListener,
): EngineHost {
  let root: string | null = null;
  let engine: EngineProcess | null = null;
  let lastOrder: Promise<unknown> = Promise.resolve();

  const inOrder = (order: () => Promise<void>): Promise<void> => {
    const done = lastOrder.then(order);
    lastOrder = done.catch(() => undefined);
    return done;
  };
  const end = async (): Promise<void> => {
    const ending = engine;
    engine = null;
    await ending?.close();
  };
  const adopt = (opened: EngineProcess, openedRoot: string): void => {
    engine = opened;
    root = openedRoot;
    opened.onEvent((name, payload) => engine === opened && listener.event(name, payload));
    opened.onClose((reason) => {
      if (engine !== opened) return;
      engine = null;
      listener.ended(reason.toPayload());
    });
  };
  const open = async (next: string): Promise<void> => {
    // Of one workspace there is only one engine; that of another can be started before the old one goes.
    if (next === root) await end();
    const opened = await fork(next);
    await end();
    adopt(opened, next);
  };

  return {
    open: (next) => inOrder(() => open(next)),
    restart: () =>
      inOrder(async () => {
        if (root === null) throw new AppError('engine.unavailable', 'no workspace is open: open one first');
        await open(root);
      }),
    request(call, args) {
      if (engine) return engine.request(call, args);
      return Promise.reject(
        new AppError(
          'engine.unavailable',
          'the engine is not running: start it again (File, Restart Engine)',
        ),
      );
    },
    close: () => inOrder(end),
  };
}
