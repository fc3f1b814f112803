import type { EntityExpression } from '../generated/ast.ts';
import { elaborateBound } from './bound-call.ts';
import { type Context, nested } from './context.ts';
import { elaborateCall } from './functions.ts';
import { elaborateReferenceMethod } from './method.ts';
import { elaborateReference, elaborateTarget, type TargetValue } from './reference.ts';
import type { EntityValue, Value } from './value.ts';

/** What stands where only an entity may stand: `a`, `red_0`, `nearest(red)`; null with a diagnostic. */
export function elaborateEntityExpression(
  context: Context,
  node: EntityExpression,
  what: string,
): EntityValue | null {
  const value = elaborateValue(context, node);
  if (value === null || value.type === 'entity') return value;
  const message = `${what} must be an entity, not a ${value.type === 'number' ? 'number' : 'condition'}`;
  context.reporter.report('EDL301', { node }, message);
  return null;
}

/** As elaborateEntityExpression, or a whole set: then every member of it is meant. */
export function elaborateTargetExpression(
  context: Context,
  node: EntityExpression,
  what: string,
): TargetValue | null {
  const isName = node.$type === 'Reference' && node.path.length === 0;
  if (isName) return elaborateTarget(context, node);
  return elaborateEntityExpression(context, node, what);
}

function elaborateValue(context: Context, node: EntityExpression): Value | null {
  const inner = nested(context, node);
  if (inner === null) return null;
  if (node.$type === 'Call') return elaborateCall(inner, node);
  if (node.$type === 'Quantifier') return elaborateBound(inner, node);
  return node.method === undefined
    ? elaborateReference(inner, node)
    : elaborateReferenceMethod(inner, node, node.method);
}
