import type { EnvironmentIr } from '../ir.ts';
import type { ValueGraph } from './graph.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

/** What the regimes and events of an environment do at the beginning of a step. */
export function lowerControl(_table: ProgramTable, _graph: ValueGraph, _ir: EnvironmentIr): Action[] {
  return [];
}
