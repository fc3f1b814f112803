import type { AstNode } from 'langium';
import type { Call, Expression, Quantifier } from '../generated/ast.ts';
import type { WhereIr } from '../ir.ts';
import { sameEntity } from '../ir-make.ts';
import { isEmpty } from './aggregate.ts';
import { type Context, elaborateCondition, elaborateEntity } from './context.ts';
import { elaborateMethod } from './method.ts';
import { attributeOf } from './reference.ts';
import { elaborateSet } from './set.ts';
import { asSetExpression } from './set-argument.ts';
import { solePrimary } from './sole-call.ts';
import type { EntityValue, SetValue, Value } from './value.ts';
import { bindVariable } from './variable.ts';

export type ExtremeName = 'nearest' | 'farthest';

export function isExtremeName(name: string): name is ExtremeName {
  return name === 'nearest' || name === 'farthest';
}

/** Whether an argument is a `nearest(…)` that does not say to what. */
export function isFloating(argument: Expression): boolean {
  const primary = solePrimary(argument);
  if (primary?.$type !== 'Call' && primary?.$type !== 'Quantifier') return false;
  return isExtremeName(primary.name) && primary.anchor === undefined;
}

/** `nearest(SET)`, `farthest(SET to b)`: a member of the whole set; null with a diagnostic. */
export function elaborateExtremeCall(context: Context, node: Call): EntityValue | null {
  const op = node.name as ExtremeName;
  const [argument] = node.arguments;
  const setNode = argument === undefined ? null : asSetExpression(argument);
  if (setNode === null) {
    const message = `${op} takes a set: ${op}(landmark), ${op}(ally(a))`;
    context.reporter.report('EDL301', { node, property: 'arguments' }, message);
    return null;
  }
  const set = elaborateSet(context, setNode);
  const anchor = readAnchor(context, node, setNode.name);
  return set === null || anchor === null ? null : choose(context, node, { op, set, anchor });
}

/** `nearest(p in SET where …)`: of the members of which the condition holds; null with a diagnostic. */
export function elaborateChosen(context: Context, node: Quantifier): EntityValue | null {
  const op = node.name as ExtremeName;
  const set = elaborateSet(context, node.set);
  const anchor = readAnchor(context, node, `${node.variable} in ${node.set.name} where …`);
  if (set === null || anchor === null) return null;
  const { condition } = node;
  if (condition === undefined) return choose(context, node, { op, set, anchor });
  const bound = bindVariable(context, node, set);
  if (bound === null) return null;
  const where = elaborateCondition(bound.context, condition, "what follows 'where'")?.ir;
  bound.finish();
  if (where === undefined) return null;
  const isAlways = where.op === 'boolean' && where.value;
  if (isAlways) return choose(context, node, { op, set, anchor });
  return choose(context, node, {
    op,
    set,
    anchor,
    where: { variable: context.variables.length, condition: where },
  });
}

/** What is read of the entity that stands before the dots, or the entity itself. */
export function elaboratePath(context: Context, entity: EntityValue, node: Call | Quantifier): Value | null {
  if (node.path.length === 0) return entity;
  if (node.method !== undefined) return elaborateMethod(context, entity, node, node.method);
  return attributeOf(context, entity, node.path, node);
}

export function reportAnchor(context: Context, node: Call | Quantifier): void {
  const message = `'to' belongs to nearest and farthest, not to ${node.name}`;
  context.reporter.report('EDL304', { node, property: 'anchor' }, message);
}

/** What others are compared with: what `to` says, else what the surroundings do. */
function readAnchor(context: Context, node: Call | Quantifier, set: string): EntityValue | null {
  const { name } = node;
  if (node.anchor !== undefined) return elaborateEntity(context, node.anchor, `what ${name} refers to`);
  if (context.anchor !== null) return context.anchor;
  const message = `${name} to what? Write ${name}(${set} to x), or use it inside a loop`;
  context.reporter.report('EDL305', { node }, message);
  return null;
}

interface Choice {
  readonly op: ExtremeName;
  readonly set: SetValue;
  readonly anchor: EntityValue;
  readonly where?: WhereIr;
}

function choose(context: Context, node: AstNode, { op, set, anchor, where }: Choice): EntityValue | null {
  const others = { ...set, minSize: set.minSize - (canHold(set, anchor) ? 1 : 0) };
  if (isEmpty(context, others, node, `${op} (which never is the entity itself)`)) return null;
  return {
    type: 'entity',
    ir: { op, set: set.ir, to: anchor.ir, ...(where === undefined ? {} : { where }) },
    kind: set.kind,
    candidates: set.candidates,
    isFixed: false,
  };
}

/** Whether a set may have an entity as a member; the relatives of an agent never include itself. */
function canHold(set: SetValue, entity: EntityValue): boolean {
  if (set.kind !== entity.kind || (set.ir.op !== 'set' && sameEntity(set.ir.of, entity.ir))) return false;
  return entity.candidates.some((index) => set.candidates.includes(index));
}
