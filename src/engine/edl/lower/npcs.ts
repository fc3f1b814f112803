import type { EnvironmentIr } from '../ir.ts';
import type { ValueGraph } from './graph.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

/** What the agents that the environment plays itself do. */
export function lowerNpcs(_table: ProgramTable, _graph: ValueGraph, _ir: EnvironmentIr): Action[] {
  return [];
}
