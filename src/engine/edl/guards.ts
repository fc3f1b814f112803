import type { EntityIr, ExpressionIr, PlaceIr, SetIr } from './ir.ts';
import { alwaysIr } from './ir-make.ts';
import type { ManifestIndex } from './manifest-index.ts';
import { mayLackOthers, membersOf } from './population.ts';

/** An attribute that is read of somebody who may not be there. */
export interface NobodyRead {
  readonly attribute: string;
  /** The entity that may be nobody: the one read of, or the one it is nearest to. */
  readonly of: Extreme;
}

type Extreme = Extract<EntityIr, { op: 'nearest' | 'farthest' }>;

/** Sets that are known to have a member where something is read, and places that are somebody's, each as text. */
type Guards = ReadonlySet<string>;

/** What an expression is looked at with. */
interface Surroundings {
  readonly index: ManifestIndex;
  /** World indices that each loop variable may stand for. */
  readonly variables: readonly (readonly number[])[];
}

/**
 * Attributes that an expression reads of a nearest or farthest member that may be nobody, where nothing says that it is
 * there: a condition before it (`any(…)`, `count(…) > 0`, a distance to it below a number, a relation to it), or `given`.
 */
export function nobodyReads(
  surroundings: Surroundings,
  node: ExpressionIr,
  given: ExpressionIr | null = null,
): NobodyRead[] {
  const found: NobodyRead[] = [];
  walk(surroundings, node, given === null ? new Set() : guardsOf(given, true), found);
  return found;
}

function walk(at: Surroundings, node: ExpressionIr, guards: Guards, found: NobodyRead[]): void {
  switch (node.op) {
    case 'attribute': {
      walkPlace(at, node.of, guards, found);
      const of = missing(at, node.of, guards);
      if (of !== null) found.push({ attribute: node.name, of });
      return;
    }
    case 'aggregate': {
      const members = membersOf(at.index, node.set, at.variables);
      const inner = { ...at, variables: [...at.variables, members] };
      walk(inner, node.where, guards, found);
      if (node.body !== null) walk(inner, node.body, union(guards, guardsOf(node.where, true)), found);
      return;
    }
    case 'and':
    case 'or':
      walk(at, node.left, guards, found);
      walk(at, node.right, union(guards, guardsOf(node.left, node.op === 'and')), found);
      return;
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      walk(at, node.value, guards, found);
      return;
    case 'number':
    case 'boolean':
    case 'signal':
    case 'metric':
    case 'recent':
      return;
    case 'distance':
    case 'relation':
      walkPlace(at, node.from, guards, found);
      walkPlace(at, node.to, guards, found);
      return;
    case 'same':
      walkPlace(at, node.left, guards, found);
      walkPlace(at, node.right, guards, found);
      return;
    default:
      walk(at, node.left, guards, found);
      walk(at, node.right, guards, found);
  }
}

/** What is read to find out who is meant. */
function walkPlace(at: Surroundings, place: PlaceIr, guards: Guards, found: NobodyRead[]): void {
  if (place.op !== 'nearest' && place.op !== 'farthest') return;
  walkPlace(at, place.to, guards, found);
  if (place.where === undefined) return;
  const outer = at.variables.slice(0, place.where.variable);
  const inner = { ...at, variables: [...outer, membersOf(at.index, place.set, at.variables)] };
  walk(inner, place.where.condition, guards, found);
}

/** Who of a chain of nearest members may be nobody, from what it begins with; null: all of them are there. */
function missing(at: Surroundings, entity: EntityIr, guards: Guards): Extreme | null {
  if ((entity.op !== 'nearest' && entity.op !== 'farthest') || guards.has(keyOf(entity))) return null;
  const first = missing(at, entity.to, guards);
  if (first !== null) return first;
  return mayLackOthers(at.index, entity, at.variables) && !guards.has(keyOfChoice(entity)) ? entity : null;
}

/** Sets that must have a member for a condition to be true, or for it to be false. */
function guardsOf(node: ExpressionIr, isTrue: boolean): Guards {
  switch (node.op) {
    case 'not':
      return guardsOf(node.value, !isTrue);
    case 'and':
      return isTrue ? union(guardsOf(node.left, true), guardsOf(node.right, true)) : new Set();
    case 'or':
      return isTrue ? new Set() : union(guardsOf(node.left, false), guardsOf(node.right, false));
    case 'aggregate':
      return new Set(isTrue && node.kind === 'any' ? keysOfMembers(node.set, node.where) : []);
    case 'relation':
      return new Set(isTrue ? [...extremes(node.from), ...extremes(node.to)] : []);
    case 'lt':
    case 'le':
      return isTrue ? boundedBy(node.left, node.right) : boundedBy(node.right, node.left);
    default:
      return new Set();
  }
}

/** What must be there for `small` to lie below `large`: a distance below a number, or 0 below a count. */
function boundedBy(small: ExpressionIr, large: ExpressionIr): Guards {
  if (small.op === 'distance' && large.op === 'number') {
    return new Set([...extremes(small.from), ...extremes(small.to)]);
  }
  const isCount = large.op === 'aggregate' && large.kind === 'count';
  const isGuard = isCount && small.op === 'number' && small.value >= 0;
  return new Set(isGuard ? keysOfMembers(large.set, large.where) : []);
}

/** What is there where a place is: itself, members of its set, and whom it is nearest to. */
function extremes(place: PlaceIr): string[] {
  if (place.op !== 'nearest' && place.op !== 'farthest') return [];
  return [
    keyOf(place),
    ...keysOfMembers(place.set, place.where?.condition ?? alwaysIr),
    ...extremes(place.to),
  ];
}

/** What is known where a set has a member of which a condition holds: that, and that it has one at all. */
function keysOfMembers(set: SetIr, where: ExpressionIr): string[] {
  const isAny = where.op === 'boolean' && where.value;
  return isAny ? [keyOf(set)] : [keyOf(set), JSON.stringify([set, where])];
}

/** What has to be known for the choice not to be nobody. */
function keyOfChoice({ set, where }: Extreme): string {
  return where === undefined ? keyOf(set) : JSON.stringify([set, where.condition]);
}

function keyOf(what: SetIr | EntityIr): string {
  return JSON.stringify(what);
}

function union(a: Guards, b: Guards): Guards {
  return new Set([...a, ...b]);
}
