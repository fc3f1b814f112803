import type { EnvironmentIr } from '../ir.ts';
import { rootScope } from './blocks.ts';
import type { LoweringScope } from './entities.ts';
import { lowerEvents } from './events.ts';
import type { ValueGraph } from './graph.ts';
import type { ProgramTable } from './program-table.ts';
import { begunWord, recalledEvents, stepNode } from './recent.ts';
import { lowerRegimes } from './regimes.ts';
import type { Action } from './schedule.ts';

/** What begins a step: which regime holds and what it sets, then the events that are due. */
export function lowerControl(table: ProgramTable, graph: ValueGraph, ir: EnvironmentIr): Action[] {
  const scope = rootScope(table, graph, true);
  if (recalledEvents(ir).size > 0) begunWord(table);
  const actions = [...lowerRegimes(scope, ir), ...lowerEvents(scope, ir)];
  return table.hasWord('begun') && actions.length > 0 ? [...actions, countStep(scope)] : actions;
}

/** The other sections read how many steps were begun, the present one included. */
function countStep(scope: LoweringScope): Action {
  const { graph } = scope;
  const begun = graph.make('ADD', stepNode(scope), graph.number(1));
  return { op: 'STORE', dst: begunWord(scope.table), a: 0, b: begun, c: graph.number(1) };
}
