import type { EnvironmentIr } from '../ir.ts';
import type { LoweringScope } from './entities.ts';
import type { NodeId } from './graph.ts';
import type { ProgramTable } from './program-table.ts';

/** Before the episode by more than anybody asks for, and still finite. */
const longAgo = -1e15;

/** The memory word with the last step in which an event happened. */
export function lastWord(table: ProgramTable, event: string): number {
  return table.word(`last ${event}`, longAgo);
}

/** The memory word with the number of steps begun; the control section of a step reads that of the step before. */
export function begunWord(table: ProgramTable): number {
  return table.word('begun', 0);
}

/** Steps taken when this step began, in the control section. */
export function stepNode({ graph, index, table }: LoweringScope): NodeId {
  const time = index.signals.get('time');
  return time?.unit === 'steps' ? graph.make('SIGNAL', time.id) : graph.make('RECALL', begunWord(table));
}

/**
 * Whether an event happened in one of the last steps: the control section looks back from the step before, the others
 * from the step they are in.
 */
export function lowerRecent(scope: LoweringScope, event: string, steps: number): NodeId {
  const { graph, table } = scope;
  const begun = scope.isControl ? stepNode(scope) : graph.make('RECALL', begunWord(table));
  const age = graph.make('SUB', begun, graph.make('RECALL', lastWord(table, event)));
  return graph.make('LE', age, graph.number(steps));
}

/** Names of the events that some condition of the environment looks back to. */
export function recalledEvents(ir: EnvironmentIr): ReadonlySet<string> {
  const found = new Set<string>();
  collect(ir, found);
  return found;
}

/** The canonical form is plain JSON: every object of it is looked at. */
function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('op' in value && value.op === 'recent' && 'event' in value) found.add(String(value.event));
  for (const part of Object.values(value)) collect(part, found);
}
