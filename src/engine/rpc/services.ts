import type { EngineHandlers } from '../../shared/contract/contract.ts';
import { libraryVersion } from '../../shared/std/library-version.ts';
import type { Store, StoreReader } from '../store/index.ts';
import type { WorkspaceFiles } from '../workspace/index.ts';
import { createCoachHandlers } from './handlers/coach.ts';
import type { HandlerContext } from './handlers/context.ts';
import { createEngineHandlers } from './handlers/engine.ts';
import { createModelsHandlers } from './handlers/models.ts';
import { createRunsHandlers } from './handlers/runs.ts';
import { createWorkspaceHandlers } from './handlers/workspace.ts';
import type { Voice } from './voice.ts';

/** What an engine is made of besides files, store and voice; composed of the real modules, or by a test of its own. */
export interface Services extends Omit<HandlerContext, 'files' | 'store' | 'log' | 'version' | 'startedAt'> {
  /** Ends what was started: runs stop after a checkpoint, processes end. */
  close(): Promise<void>;
}

export type ComposeReading = (files: WorkspaceFiles, store: StoreReader, voice: Voice) => Services;
export type ComposeWriting = (files: WorkspaceFiles, store: Store, voice: Voice) => Services;

/** What handlers of one engine share, from now on. */
export function createContext(
  services: Services,
  { files, store, voice }: { files: WorkspaceFiles; store: StoreReader; voice: Voice },
): HandlerContext {
  return { ...services, files, store, log: voice.log, version: libraryVersion, startedAt: Date.now() };
}

/** Every domain of the contract that an engine answers. A forgotten one is a type error. */
export function createHandlers(context: HandlerContext): EngineHandlers {
  return {
    workspace: createWorkspaceHandlers(context),
    edl: context.language,
    simulator: context.simulator,
    runs: createRunsHandlers(context),
    coach: createCoachHandlers(context),
    models: createModelsHandlers(context),
    policies: context.policies,
    engine: createEngineHandlers(context),
  };
}
