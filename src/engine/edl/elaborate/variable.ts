import type { AstNode } from 'langium';
import type { EntityIr } from '../ir.ts';
import { type Context, warnUnused, withVariable } from './context.ts';
import { meaningOf } from './taken-names.ts';
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
  const metrics = context.reads === 'metrics' ? context.metrics : null;
  const taken = meaningOf({ ...context, metrics }, node.variable);
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
