import type { Served } from '../../src/engine/rpc/serve-channel.ts';
import { createHandlers, type Services } from '../../src/engine/rpc/services.ts';
import { createServed, createVoice, type Voice } from '../../src/engine/rpc/voice.ts';
import type { Store } from '../../src/engine/store/index.ts';
import { openWorkspaceFiles } from '../../src/engine/workspace/index.ts';
import { fakeServices } from './fake-services.ts';
import { insertProposal, storeWithRun } from './store-records.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestEngine {
  readonly served: Served;
  readonly voice: Voice;
  readonly store: Store;
  readonly root: string;
}

/** Handlers of the whole contract over a real store and folder and the fake services; results are checked. */
export function serveFakes(overrides: Partial<Services> = {}): TestEngine {
  const root = temporaryFolder();
  const store = storeWithRun(root);
  insertProposal(store);
  store.series.append('r1', 0, [{ key: 'charts/episodic_return', step: 5, value: -20 }]);
  const voice = createVoice();
  const context = { files: openWorkspaceFiles(root), store, log: voice.log, version: '0.0.0', startedAt: 1 };
  const handlers = createHandlers({ ...fakeServices(store, overrides), ...context });
  return { served: createServed(handlers, voice, { checkResults: true }), voice, store, root };
}
