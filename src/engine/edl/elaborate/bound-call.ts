import type { Quantifier } from '../generated/ast.ts';
import { elaborateQuantifier } from './aggregate.ts';
import { type Context, stateRefusal } from './context.ts';
import { elaborateChosen, elaboratePath, isExtremeName, reportAnchor } from './extreme.ts';
import type { Value } from './value.ts';

/** A call that binds a name: `count(a in SET where …)`, `nearest(p in SET where …)`; null with a diagnostic. */
export function elaborateBound(context: Context, node: Quantifier): Value | null {
  const { reporter } = context;
  if (isExtremeName(node.name)) {
    if (context.reads === 'metrics') {
      reporter.report('EDL208', { node, property: 'name' }, stateRefusal(`${node.name}(…)`));
      return null;
    }
    const entity = elaborateChosen(context, node);
    return entity === null ? null : elaboratePath(context, entity, node);
  }
  if (node.anchor !== undefined) {
    reportAnchor(context, node);
    return null;
  }
  const value = elaborateQuantifier(context, node);
  if (value === null || node.path.length === 0) return value;
  const what = value.type === 'number' ? 'a number' : 'a condition';
  const message = `${node.name} is ${what}: it has no attribute '${node.path.join('.')}'`;
  reporter.report('EDL301', { node, property: 'path' }, message);
  return null;
}
