import type { EntityIr, SetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { relatedAgents } from '../relation.ts';
import type { NodeId, ValueGraph } from './graph.ts';

/** An entity while lowering: a world index, or a register that holds one of some candidates. */
export type LoweredEntity =
  | { readonly type: 'fixed'; readonly index: number }
  | { readonly type: 'computed'; readonly node: NodeId; readonly candidates: readonly number[] };

export interface LoweringScope {
  readonly graph: ValueGraph;
  readonly index: ManifestIndex;
  /** By variable number, outermost first. */
  readonly variables: readonly LoweredEntity[];
}

/** Stands for "no candidate": farther than anything, and still finite. */
const unreachable = Number.MAX_VALUE;

export function lowerEntity(scope: LoweringScope, entity: EntityIr): LoweredEntity {
  scope.graph.visit();
  switch (entity.op) {
    case 'variable': {
      const bound = scope.variables[entity.index];
      if (bound === undefined) throw new RangeError(`no loop variable ${entity.index}`);
      return bound;
    }
    case 'entity': {
      const found = scope.index.entities.get(entity.name);
      if (found === undefined) throw new RangeError(`no entity ${entity.name}`);
      return { type: 'fixed', index: found.index };
    }
    case 'member':
      return memberOf(scope, entity.set);
    case 'nearest':
    case 'farthest':
      return lowerExtreme(scope, entity).entity;
  }
}

/** Members of a set for the current loop variables; a dynamic set has one computed member. */
export function lowerSet(scope: LoweringScope, set: SetIr): readonly LoweredEntity[] {
  if (set.op !== 'set') {
    const of = lowerEntity(scope, set.of);
    if (of.type !== 'fixed') throw new RangeError(`${set.op} of an entity that is not fixed`);
    return relatedAgents(scope.index, set.op, of.index).map((index) => ({ type: 'fixed', index }));
  }
  const found = scope.index.sets.get(set.name);
  if (found === undefined) return [lowerEntity(scope, { op: 'entity', name: set.name })];
  if (found.dynamic) return [memberOf(scope, set.name)];
  return found.entities.map((index) => ({ type: 'fixed', index }));
}

function memberOf(scope: LoweringScope, set: string): LoweredEntity {
  const found = scope.index.sets.get(set);
  const number = scope.index.setNumbers.get(set);
  if (found === undefined || number === undefined) throw new RangeError(`no set ${set}`);
  return { type: 'computed', node: scope.graph.make('MEMBER', number), candidates: found.entities };
}

/** The register that holds an entity's index. */
export function indexNode(scope: LoweringScope, entity: LoweredEntity): NodeId {
  return entity.type === 'fixed' ? scope.graph.number(entity.index) : entity.node;
}

export function lowerDistance(scope: LoweringScope, from: LoweredEntity, to: LoweredEntity): NodeId {
  const { graph } = scope;
  if (from.type === 'fixed' && to.type === 'fixed') {
    if (from.index === to.index) return graph.number(0);
    return graph.make('DIST', Math.min(from.index, to.index), Math.max(from.index, to.index));
  }
  if (from.type === 'fixed' && to.type === 'computed') return graph.make('DISTX', from.index, to.node);
  if (from.type === 'computed' && to.type === 'fixed') return graph.make('DISTX', to.index, from.node);
  return distanceOfComputed(scope, from, to);
}

/** Neither end is fixed: one of them is resolved by comparing it with each of its candidates. */
function distanceOfComputed(scope: LoweringScope, from: LoweredEntity, to: LoweredEntity): NodeId {
  const { graph } = scope;
  if (from.type !== 'computed' || to.type !== 'computed') return graph.number(0);
  const [first = 0, ...rest] = from.candidates;
  let result = graph.make('DISTX', first, to.node);
  for (const candidate of rest) {
    const isCandidate = graph.same(from.node, graph.number(candidate));
    result = graph.select(isCandidate, graph.make('DISTX', candidate, to.node), result);
  }
  return result;
}

/** The nearest or farthest other member of a set, with its distance: a chain of comparisons in index order, so ties go to the first. */
export function lowerExtreme(
  scope: LoweringScope,
  entity: Extract<EntityIr, { op: 'nearest' | 'farthest' }>,
): { entity: LoweredEntity; distance: NodeId } {
  const { graph } = scope;
  const isNearest = entity.op === 'nearest';
  const anchor = lowerEntity(scope, entity.to);
  const members = lowerSet(scope, entity.set).filter((member) => !isSameFixed(member, anchor));
  const [first, ...rest] = members;
  if (first === undefined) throw new RangeError(`${entity.op} of an empty set`);
  const measure = (member: LoweredEntity): NodeId => {
    const distance = lowerDistance(scope, anchor, member);
    if (anchor.type === 'fixed' || member.type !== 'fixed') return distance;
    const isItself = graph.same(anchor.node, graph.number(member.index));
    const excluded = graph.number(isNearest ? unreachable : -1);
    return anchor.candidates.includes(member.index) ? graph.select(isItself, excluded, distance) : distance;
  };
  if (rest.length === 0) return { entity: first, distance: measure(first) };
  let best = indexNode(scope, first);
  let distance = measure(first);
  for (const member of rest) {
    const candidate = measure(member);
    const isBetter = isNearest
      ? graph.make('LT', candidate, distance)
      : graph.make('LT', distance, candidate);
    best = graph.select(isBetter, indexNode(scope, member), best);
    distance = graph.make(isNearest ? 'MIN' : 'MAX', distance, candidate);
  }
  const candidates = members.flatMap((member) =>
    member.type === 'fixed' ? [member.index] : member.candidates,
  );
  return { entity: { type: 'computed', node: best, candidates }, distance };
}

function isSameFixed(a: LoweredEntity, b: LoweredEntity): boolean {
  return a.type === 'fixed' && b.type === 'fixed' && a.index === b.index;
}
