import {
  bothGuards,
  type Guards,
  guardsOf,
  keyOf,
  keyOfChoice,
  keyOfNotZero,
  keyOfTwo,
  type Surroundings,
  unguarded,
} from './guards.ts';
import { boundsOf } from './interval.ts';
import type { BinaryOp, EntityIr, ExpressionIr, PlaceIr } from './ir.ts';
import { sameEntity } from './ir-make.ts';
import { heldIndex, type ManifestIndex } from './manifest-index.ts';
import { mayLackOthers, membersOf, placeCandidates } from './population.ts';

type Extreme = Extract<EntityIr, { op: 'nearest' | 'farthest' }>;
type Binary = Extract<ExpressionIr, { op: BinaryOp }>;

/** What of an expression may be undefined. */
export interface UndefinedReads {
  /** Attributes that are read of a nearest or farthest member that may be nobody: the one read of, or an anchor of it. */
  readonly ofNobody: {
    readonly attribute: string;
    readonly of: Extreme;
    /** Whether the one that others are compared with may be the only member. */
    readonly isOwn: boolean;
  }[];
  /** Divisions by what may be 0. */
  readonly divisions: Binary[];
}

/**
 * What an expression reads that may be undefined where nothing rules that out: the bounds of the scenario, a condition
 * before it (`any(…)`, `count(…) > 0`, a distance to a member below a number, a relation to it, `x > 0`), or `given`. Nothing
 * is read where that is never so.
 */
export function undefinedReads(
  index: ManifestIndex,
  variables: Surroundings['variables'],
  node: ExpressionIr,
  given: ExpressionIr | null = null,
): UndefinedReads {
  const at = { index: heldIndex(index), variables };
  const found: UndefinedReads = { ofNobody: [], divisions: [] };
  if (given?.op === 'boolean' && !given.value) return found;
  walk(at, node, given === null ? unguarded : guardsOf(at, given, true), found);
  return found;
}

function walk(at: Surroundings, node: ExpressionIr, guards: Guards, found: UndefinedReads): void {
  switch (node.op) {
    case 'attribute': {
      walkPlace(at, node.of, guards, found);
      const of = missing(at, node.of, guards);
      if (of !== null) found.ofNobody.push({ attribute: node.name, of, isOwn: mayBeChosenOf(at, of) });
      return;
    }
    case 'aggregate': {
      const members = membersOf(at.index, node.set, at.variables);
      const inner = { ...at, variables: [...at.variables, members] };
      walk(inner, node.where, guards, found);
      if (node.body !== null)
        walk(inner, node.body, bothGuards(guards, guardsOf(inner, node.where, true)), found);
      return;
    }
    case 'and':
    case 'or': {
      let known = guards;
      for (const operand of operandsOf(node, node.op)) {
        walk(at, operand, known, found);
        known = bothGuards(known, guardsOf(at, operand, node.op === 'and'));
      }
      return;
    }
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
      if (node.op === 'div' && mayBeZero(at, node.right, guards)) found.divisions.push(node);
  }
}

/** What a chain joins, from left to right. */
function operandsOf(node: ExpressionIr, op: 'and' | 'or'): ExpressionIr[] {
  const operands: ExpressionIr[] = [];
  let rest = node;
  for (; rest.op === op; rest = rest.left) operands.push(rest.right);
  return [rest, ...operands.reverse()];
}

/** What is read to find out who is meant. */
function walkPlace(at: Surroundings, place: PlaceIr, guards: Guards, found: UndefinedReads): void {
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
  const key = keyOfChoice(entity);
  const isThere = guards.has(keyOfTwo(key)) || (guards.has(key) && !mayBeChosenOf(at, entity));
  return isThere || !mayLackOthers(at.index, entity, at.variables) ? null : entity;
}

/** Whether the one that others are compared with may be in the set, which never is its own nearest. */
function mayBeChosenOf({ index, variables }: Surroundings, { set, to }: Extreme): boolean {
  if (set.op !== 'set' && sameEntity(set.of, to)) return false;
  const members = membersOf(index, set, variables);
  return placeCandidates(index, to, variables).some((anchor) => members.includes(anchor));
}

function mayBeZero(at: Surroundings, node: ExpressionIr, guards: Guards): boolean {
  const boundsIn = (value: ExpressionIr) => boundsOf(at.index, value, { variables: at.variables });
  const { min, max } = boundsIn(node);
  if (min > 0 || max < 0 || guards.has(keyOfNotZero(node))) return false;
  switch (node.op) {
    case 'abs':
    case 'neg':
    case 'sqrt':
      return mayBeZero(at, node.value, guards);
    case 'mul':
      return mayBeZero(at, node.left, guards) || mayBeZero(at, node.right, guards);
    case 'div':
      return mayBeZero(at, node.left, guards);
    case 'add': {
      const isSumOfSizes = boundsIn(node.left).min >= 0 && boundsIn(node.right).min >= 0;
      return !isSumOfSizes || (mayBeZero(at, node.left, guards) && mayBeZero(at, node.right, guards));
    }
    default:
      return true;
  }
}
