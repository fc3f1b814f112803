import type { EntityIr, ExpressionIr, SetIr } from '../ir.ts';
import type { ManifestIndex } from '../manifest-index.ts';
import { relatedAgents } from '../relation.ts';
import type { NodeId, ValueGraph } from './graph.ts';
import { presenceOf } from './presence.ts';
import type { ProgramTable } from './program-table.ts';

/** An entity while lowering: a world index, or a register that holds one of some candidates. */
export type LoweredEntity =
  | { readonly type: 'fixed'; readonly index: number }
  | {
      readonly type: 'computed';
      readonly node: NodeId;
      readonly candidates: readonly number[];
      /** The register may hold -1. */
      readonly mayBeNobody: boolean;
    };

export interface LoweringScope {
  readonly graph: ValueGraph;
  readonly index: ManifestIndex;
  readonly table: ProgramTable;
  /** Whether the code belongs to the control section, which runs before the events of the step. */
  readonly isControl: boolean;
  /** By variable number, outermost first. */
  readonly variables: readonly LoweredEntity[];
  /** What the loops range over here, by name, outermost first: it tells the instances of a declaration apart. */
  readonly members: readonly string[];
  /** Whether all entities that loops brought into scope take part. */
  readonly isPresent: NodeId;
  /** Lowers expressions, handed down so that entities can call it without importing it. */
  readonly lower: (scope: LoweringScope, node: ExpressionIr) => NodeId;
}

/** The index of nobody. */
export const nobody = -1;

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
  const node = scope.graph.make('MEMBER', number);
  return { type: 'computed', node, candidates: found.entities, mayBeNobody: false };
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

/** Whether there is an entity at all. */
export function isSomebody({ graph }: LoweringScope, entity: LoweredEntity): NodeId {
  if (entity.type === 'fixed' || !entity.mayBeNobody) return graph.number(1);
  return graph.not(graph.same(entity.node, graph.number(nobody)));
}

/** Farther than anything: the distance of nobody. */
export function infinity(scope: LoweringScope): NodeId {
  return scope.graph.make('DISTX', 0, scope.graph.number(nobody));
}

/** Neither end is fixed: one of them is resolved by comparing it with each of its candidates. */
function distanceOfComputed(scope: LoweringScope, from: LoweredEntity, to: LoweredEntity): NodeId {
  const { graph } = scope;
  if (from.type !== 'computed' || to.type !== 'computed') return graph.number(0);
  const [first = 0, ...rest] = from.candidates;
  const ends = from.mayBeNobody ? from.candidates : rest;
  let result = from.mayBeNobody ? infinity(scope) : graph.make('DISTX', first, to.node);
  for (const candidate of ends) {
    const isCandidate = graph.same(from.node, graph.number(candidate));
    result = graph.select(isCandidate, graph.make('DISTX', candidate, to.node), result);
  }
  return result;
}

type ExtremeIr = Extract<EntityIr, { op: 'nearest' | 'farthest' }>;

/** A member that may be the one looked for: its register, its distance, and whether it counts (1: always). */
interface Contender {
  readonly node: NodeId;
  readonly distance: NodeId;
  readonly counts: NodeId;
}

/**
 * The nearest or farthest other member of a set that takes part and fulfils the condition, with its distance: a chain of
 * comparisons in index order, so ties go to the first. Of no member at all: nobody, infinitely far.
 */
export function lowerExtreme(
  scope: LoweringScope,
  entity: ExtremeIr,
): { entity: LoweredEntity; distance: NodeId } {
  const { graph } = scope;
  const anchor = lowerEntity(scope, entity.to);
  const members = lowerSet(scope, entity.set).filter((member) => !isSameFixed(member, anchor));
  const contenders = members.map((member): Contender => {
    const distance = lowerDistance(scope, anchor, member);
    const isThere = graph.and(isSomebody(scope, anchor), presenceOf(scope, member));
    const isCandidate = graph.and(isThere, isOther(scope, anchor, member));
    const counts = graph.and(isCandidate, fulfils(scope, entity, member));
    return { node: indexNode(scope, member), distance, counts };
  });
  const isSure = (contender: Contender): boolean => graph.constantOf(contender.counts) === 1;
  const [only] = members;
  const [sole] = contenders;
  if (only !== undefined && sole !== undefined && contenders.length === 1 && isSure(sole))
    return { entity: only, distance: sole.distance };
  const best = contenders.every(isSure)
    ? bestOf(scope, contenders, entity.op)
    : bestOfPresent(scope, contenders, entity.op);
  const candidates = members.flatMap((member) =>
    member.type === 'fixed' ? [member.index] : member.candidates,
  );
  const mayBeNobody = !contenders.some(isSure);
  return {
    entity: { type: 'computed', node: best.node, candidates, mayBeNobody },
    distance: best.distance,
  };
}

/** Whether the condition holds of a member; 1 where there is none. */
function fulfils(scope: LoweringScope, { where }: ExtremeIr, member: LoweredEntity): NodeId {
  if (where === undefined) return scope.graph.number(1);
  const variables = [...scope.variables.slice(0, where.variable), member];
  return scope.lower({ ...scope, variables }, where.condition);
}

/** Whether a member is not the entity that others are compared with. */
function isOther(scope: LoweringScope, anchor: LoweredEntity, member: LoweredEntity): NodeId {
  const { graph } = scope;
  if (anchor.type === 'fixed' && member.type === 'fixed') return graph.number(1);
  const isPossible =
    anchor.type === 'fixed'
      ? member.type === 'computed' && member.candidates.includes(anchor.index)
      : member.type === 'computed' || anchor.candidates.includes(member.index);
  if (!isPossible) return graph.number(1);
  return graph.not(graph.same(indexNode(scope, anchor), indexNode(scope, member)));
}

type Best = Pick<Contender, 'node' | 'distance'>;

function bestOf(scope: LoweringScope, contenders: readonly Contender[], op: 'nearest' | 'farthest'): Best {
  const { graph } = scope;
  const [first, ...rest] = contenders;
  if (first === undefined) return { node: graph.number(nobody), distance: infinity(scope) };
  return rest.reduce<Best>((best, { node, distance }) => {
    const isBetter =
      op === 'nearest'
        ? graph.make('LT', distance, best.distance)
        : graph.make('LT', best.distance, distance);
    return {
      node: graph.select(isBetter, node, best.node),
      distance: graph.make(op === 'nearest' ? 'MIN' : 'MAX', best.distance, distance),
    };
  }, first);
}

/**
 * Whoever does not count is passed over; until somebody was found the best so far is nobody. Where it is undefined
 * whether a member counts, so is who is the best: from there on no comparison is defined.
 */
function bestOfPresent(
  scope: LoweringScope,
  contenders: readonly Contender[],
  op: 'nearest' | 'farthest',
): Best {
  const { graph } = scope;
  const none = graph.number(nobody);
  const start: Best = { node: none, distance: infinity(scope) };
  return contenders.reduce<Best>((best, { node, distance, counts }) => {
    const isFarther = graph.or(graph.same(best.node, none), graph.make('LT', best.distance, distance));
    const isBetter = op === 'nearest' ? graph.make('LT', distance, best.distance) : isFarther;
    const wins = graph.select(counts, isBetter, graph.number(0));
    return {
      node: graph.select(wins, node, best.node),
      distance: graph.select(wins, distance, best.distance),
    };
  }, start);
}

function isSameFixed(a: LoweredEntity, b: LoweredEntity): boolean {
  return a.type === 'fixed' && b.type === 'fixed' && a.index === b.index;
}
