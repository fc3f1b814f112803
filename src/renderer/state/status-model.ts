import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineStatus, LogLine } from '../../shared/contract/engine.ts';
import type { Client } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/std/app-error.ts';

export type ModelStatus = Awaited<ReturnType<Client['models']['status']>>;

/** Whether the engine answers. */
export type EngineConnection =
  | { readonly state: 'connecting' }
  | { readonly state: 'connected'; readonly status: EngineStatus }
  | { readonly state: 'lost'; readonly message: string };

export interface ShellInfo {
  readonly shell: 'electron' | 'browser';
  readonly platform: string;
  readonly version: string;
}

export interface StatusState {
  readonly engine: EngineConnection;
  readonly model: ModelStatus | null;
  readonly shell: ShellInfo | null;
  readonly log: readonly LogLine[];
}

export interface StatusModel {
  readonly store: StoreApi<StatusState>;
  load(): Promise<void>;
  /** Called by the transport's owner when the engine or the way to it is gone. */
  markLost(message: string): void;
}

const maxLogLines = 500;

/** Who answers, which model is loaded, and the last log lines. */
export function createStatusModel(client: Client): StatusModel {
  const store = createStore<StatusState>(() => ({
    engine: { state: 'connecting' },
    model: null,
    shell: null,
    log: [],
  }));
  client.on('engine.changed', (status) => store.setState({ engine: { state: 'connected', status } }));
  client.on('model.changed', (model) => store.setState({ model }));
  client.on('log.appended', (line) =>
    store.setState((state) => ({ log: [...state.log, line].slice(-maxLogLines) })),
  );

  return {
    store,
    async load() {
      try {
        const status = await client.engine.status({});
        store.setState({ engine: { state: 'connected', status } });
        const [model, log, shell] = await Promise.all([
          client.models.status({}),
          client.engine.log({}),
          client.desktop.info({}),
        ]);
        store.setState({ model, log, shell });
      } catch (thrown) {
        store.setState({ engine: { state: 'lost', message: AppError.from(thrown).message } });
      }
    },
    markLost: (message) => store.setState({ engine: { state: 'lost', message } }),
  };
}
