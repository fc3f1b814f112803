import type { ManifestRelation } from '../../../shared/rl/manifest.ts';
import { measureOf } from '../dimension.ts';
import type { Arguments, Call, Expression, Quantifier, Reference } from '../generated/ast.ts';
import type { ExpressionIr } from '../ir.ts';
import type { EntityKind } from '../manifest-index.ts';
import { canHold, isRelationName } from '../relation.ts';
import { hintFor, suggestNames } from '../suggest.ts';
import { type Context, elaborateEntity, stateRefusal } from './context.ts';
import { findEntity } from './reference.ts';
import { elaborateSet } from './set.ts';
import { asSeveral } from './set-argument.ts';
import type { BooleanValue, EntityValue, NumberValue, Value } from './value.ts';

type MethodNode = Reference | Call | Quantifier;

const kindWords: Readonly<Record<EntityKind, string>> = { agent: 'agents', landmark: 'landmarks' };

/** `a.hits(b)`, with the entity given by its name. */
export function elaborateReferenceMethod(context: Context, node: Reference, method: Arguments): Value | null {
  if (context.reads === 'metrics') {
    const message = stateRefusal(`${node.path.join('.')}(…)`);
    context.reporter.report('EDL208', { node, property: 'path' }, message);
    return null;
  }
  const entity = findEntity(context, node.name);
  if (entity !== null) return elaborateMethod(context, entity, node, method);
  const known = [
    ...context.variables.map((variable) => variable.name),
    ...context.index.entities.keys(),
    ...[...context.index.sets.values()].filter((set) => set.entities.length === 1).map((set) => set.name),
  ];
  context.reporter.reportUnknown('EDL202', { node, property: 'name' }, 'entity', node.name, known);
  return null;
}

/** `a.hits(b)`, `a.hits(ally(a))`: a relation of the scenario, to one entity or to any of a set. */
export function elaborateMethod(
  context: Context,
  from: EntityValue,
  node: MethodNode,
  method: Arguments,
): Value | null {
  const place = { node, property: 'path' };
  const name = node.path.join('.');
  const relation = context.index.relations.get(name);
  if (relation === undefined) {
    const known = [...context.index.relations.values()]
      .filter((candidate) => candidate.from === from.kind)
      .map((candidate) => candidate.name);
    const suggestions = suggestNames(name, known);
    const isAttribute = context.index.attributes[from.kind].has(name);
    const hint = isAttribute
      ? `: '${name}' is an attribute, written without brackets`
      : hintFor(suggestions, known);
    context.reporter.report('EDL218', place, `the scenario has no relation '${name}'${hint}`, suggestions);
    return null;
  }
  if (relation.from !== from.kind) {
    const message = `'${name}' is asked of ${kindWords[relation.from]} (${relation.doc})`;
    context.reporter.report('EDL312', place, message);
    return null;
  }
  const [argument, ...more] = method.arguments;
  if (argument === undefined || more.length > 0) {
    const message = `${name} takes one argument, not ${method.arguments.length}: a.${name}(b)`;
    context.reporter.report('EDL304', { node: method }, message);
    return null;
  }
  return relate(context, from, name, argument);
}

/** `hits(b)` in an npc, of the agent itself; undefined where the call is none of that. */
export function elaborateOwnRelation(context: Context, node: Call): Value | null | undefined {
  const relation = context.index.relations.get(node.name);
  if (context.self === null || relation === undefined || relation.from !== context.self.kind)
    return undefined;
  const [argument, ...more] = node.arguments;
  if (argument === undefined || more.length > 0 || node.path.length > 0 || node.anchor !== undefined) {
    context.reporter.report('EDL304', { node }, `${node.name} takes one argument: ${node.name}(b)`);
    return null;
  }
  return relate(context, context.self, node.name, argument);
}

function relate(context: Context, from: EntityValue, name: string, argument: Expression): Value | null {
  const relation = context.index.relations.get(name);
  if (relation === undefined) return null;
  const several = asSeveral(context, argument);
  if (several !== null && relation.kind === 'number') {
    const message = `${name} is a number: it needs one entity, as in ${name}(nearest(${several.name}))`;
    context.reporter.report('EDL312', { node: argument }, message);
    return null;
  }
  const to =
    several === null
      ? elaborateEntity({ ...context, anchor: from }, argument, `the argument of ${name}`)
      : elaborateSet(context, several);
  if (to === null) return null;
  if (relation.to !== 'any' && to.kind !== relation.to) {
    const message = `${name} relates to ${kindWords[relation.to]}, not to ${kindWords[to.kind]} (${relation.doc})`;
    context.reporter.report('EDL312', { node: argument }, message);
    return null;
  }
  warnOfNever(context, relation, from, to, argument);
  if (!('type' in to)) {
    const member = { op: 'variable', index: context.variables.length } as const;
    const where: ExpressionIr = { op: 'relation', name, from: from.ir, to: member };
    return truth({ op: 'aggregate', kind: 'any', set: to.ir, where, body: null });
  }
  const ir: ExpressionIr = { op: 'relation', name, from: from.ir, to: to.ir };
  if (relation.kind === 'boolean') return truth(ir);
  const measure = measureOf(relation.unit, context.index.manifest.stepSeconds);
  return { type: 'number', ir, measure, isBare: false } satisfies NumberValue;
}

function warnOfNever(
  { index, reporter }: Context,
  relation: ManifestRelation,
  from: EntityValue,
  { candidates }: Pick<EntityValue, 'candidates'>,
  argument: Expression,
): void {
  // Of nobody there is nothing to say, or it was said.
  if (candidates.length === 0 || canHold(index, relation, from.candidates, candidates)) return;
  const known = relation.towards.map((name) => (isRelationName(name) ? `${name}(…)` : name)).join(' or ');
  const message = `${relation.name} never holds here, only towards ${known} (${relation.doc})`;
  reporter.report('EDL518', { node: argument }, message);
}

function truth(ir: ExpressionIr): BooleanValue {
  return { type: 'boolean', ir };
}
