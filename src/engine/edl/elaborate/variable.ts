import type { AstNode } from 'langium';
import { unitFromText } from '../dimension.ts';
import { functionNames } from '../function-names.ts';
import type { EntityIr } from '../ir.ts';
import { type Context, warnUnused, withVariable } from './context.ts';
import type { SetValue, Variable } from './value.ts';

export interface BoundVariable {
  readonly context: Context;
  /** Warns if the variable was not used; called when its scope has been read. */
  readonly finish: () => void;
}

/** Brings a loop variable into scope; null with a diagnostic where its name already means something. */
export function bindVariable(
  context: Context,
  node: AstNode & { readonly variable: string },
  set: SetValue,
  mayBeUnused = false,
): BoundVariable | null {
  const place = { node, property: 'variable' };
  const taken = meaningOf(context, node.variable);
  if (taken !== null) {
    context.reporter.report('EDL211', place, `'${node.variable}' is already ${taken}: choose another name`);
    return null;
  }
  const ir: EntityIr = { op: 'variable', index: context.variables.length };
  const variable: Variable = {
    name: node.variable,
    value: { type: 'entity', ir, kind: set.kind, candidates: set.candidates, isFixed: !set.isDynamic },
    isUsed: mayBeUnused,
  };
  return { context: withVariable(context, variable), finish: () => warnUnused(context, variable, place) };
}

function meaningOf(context: Context, name: string): string | null {
  if (context.variables.some((variable) => variable.name === name)) return 'a loop variable';
  if (unitFromText(name) !== undefined) return 'a unit';
  if (context.index.sets.has(name)) return 'a set of the scenario';
  if (context.index.entities.has(name)) return 'an entity of the scenario';
  if (context.index.signals.has(name)) return 'a signal of the scenario';
  if (functionNames.has(name)) return 'a function of the language';
  if (context.events.has(name)) return 'an event of this text';
  if (context.index.metrics.has(name)) return 'a metric of the scenario';
  if (context.reads === 'metrics' && context.metrics.has(name)) return 'a metric of this text';
  if (name === 'self') return 'the agent that an npc plays';
  return null;
}
