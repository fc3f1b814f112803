import type { Expression } from '../generated/ast.ts';
import { isRelationName } from '../relation.ts';
import type { Context } from './context.ts';
import { findEntity } from './reference.ts';
import type { SetNode } from './set.ts';
import { soleCall } from './sole-call.ts';

/** A set stands where an expression is parsed: a plain name, or ally(a). Null where it is neither. */
export function asSetExpression(argument: Expression): SetNode | null {
  const sole = soleCall(argument);
  if (sole === null || sole.path.length > 0) return null;
  const { node, name } = sole;
  const place =
    node.$cstNode === undefined ? { $type: node.$type } : { $type: node.$type, $cstNode: node.$cstNode };
  if (sole.arguments === null) return { ...place, name };
  const [only] = sole.arguments;
  const inner = only === undefined || sole.arguments.length !== 1 ? null : soleCall(only);
  if (inner === null || inner.arguments !== null || inner.path.length > 0) return null;
  return { ...place, name, argument: inner.name };
}

/** The set that stands where one entity or a set may stand; null where it reads as an entity. */
export function asSeveral(context: Context, argument: Expression): SetNode | null {
  const set = asSetExpression(argument);
  if (set === null) return null;
  if (set.argument !== undefined) return isRelationName(set.name) ? set : null;
  const isSet = context.index.sets.has(set.name);
  return isSet && findEntity(context, set.name) === null ? set : null;
}
