import { availableParallelism } from 'node:os';
import type { DomainHandlers } from '../../../shared/contract/define.ts';
import type { EngineStatus, engine } from '../../../shared/contract/engine.ts';
import type { HandlerContext } from './context.ts';

type EngineContext = Pick<HandlerContext, 'studies' | 'log' | 'version' | 'startedAt'>;

export function readEngineStatus({ studies, version, startedAt }: EngineContext): EngineStatus {
  return {
    version,
    pid: process.pid,
    node: process.versions.node,
    startedAt,
    runningRuns: studies?.runningRuns ?? 0,
    numCores: availableParallelism(),
  };
}

export function createEngineHandlers(context: EngineContext): DomainHandlers<typeof engine> {
  return {
    status: () => readEngineStatus(context),
    log: () => context.log.lines(),
  };
}
