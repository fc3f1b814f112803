import type { AstNode } from 'langium';
import type { SetIr } from '../ir.ts';
import { isRelationName, relatedAgents, relations } from '../relation.ts';
import type { Context } from './context.ts';
import { findEntity } from './reference.ts';
import { reportUnknownName } from './unknown-name.ts';
import type { SetValue } from './value.ts';

/** `agent`, or `ally(a)`: a SetExpression, or a call's argument read as one. */
export type SetNode = AstNode & { readonly name: string; readonly argument?: string };

/** The set an expression names, or null with a diagnostic. */
export function elaborateSet(context: Context, node: SetNode): SetValue | null {
  if (node.argument !== undefined) return elaborateRelation(context, node, node.argument);
  const set = context.index.sets.get(node.name);
  if (set !== undefined) {
    const size = set.dynamic ? 1 : set.entities.length;
    const ir: SetIr = { op: 'set', name: node.name };
    return {
      ir,
      kind: set.kind,
      candidates: set.entities,
      minSize: size,
      maxSize: size,
      isDynamic: set.dynamic,
    };
  }
  const entity = context.index.entities.get(node.name);
  if (entity !== undefined) {
    const ir: SetIr = { op: 'set', name: node.name };
    return { ir, kind: entity.kind, candidates: [entity.index], minSize: 1, maxSize: 1, isDynamic: false };
  }
  const known = [...context.index.sets.keys(), ...context.index.entities.keys()];
  const place = { node, property: 'name' };
  reportUnknownName(context, place, { code: 'EDL205', words: 'set' }, node.name, known);
  return null;
}

function elaborateRelation(context: Context, node: SetNode, argument: string): SetValue | null {
  const relation = node.name;
  const { sets, entities } = context.index;
  if (!isRelationName(relation) && (sets.has(relation) || entities.has(relation))) {
    const message = `'${relation}' takes no argument: '${relation} (${argument})' is read as one set, as in ally(a)`;
    context.reporter.report('EDL206', { node, property: 'name' }, message);
    return null;
  }
  if (!isRelationName(relation)) {
    context.reporter.reportUnknown(
      'EDL206',
      { node, property: 'name' },
      'set function',
      node.name,
      relations,
    );
    return null;
  }
  const place = { node, property: 'argument' };
  const of = findEntity(context, argument);
  if (of === null) {
    const known = [...context.variables.map((variable) => variable.name), ...context.index.entities.keys()];
    context.reporter.reportUnknown('EDL202', place, 'agent', argument, known);
    return null;
  }
  if (of.kind !== 'agent' || !of.isFixed) {
    const message = `${relation}(…) takes a fixed agent; '${argument}' is ${of.kind === 'agent' ? 'one that changes' : 'a landmark'}`;
    context.reporter.report(of.kind === 'agent' ? 'EDL309' : 'EDL308', place, message);
    return null;
  }
  const members = of.candidates.map((agent) => relatedAgents(context.index, relation, agent));
  const sizes = members.map((list) => list.length);
  return {
    ir: { op: relation, of: of.ir },
    kind: 'agent',
    candidates: [...new Set(members.flat())].sort((a, b) => a - b),
    minSize: Math.min(...sizes),
    maxSize: Math.max(...sizes),
    isDynamic: false,
  };
}
