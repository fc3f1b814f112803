import { boundsOf } from './interval.ts';
import type { EntityIr, ExpressionIr, PlaceIr, SetIr } from './ir.ts';
import { alwaysIr } from './ir-make.ts';
import type { ManifestIndex } from './manifest-index.ts';

/** What is known where something is read, each as text: sets with a member, places that are somebody's, values not 0. */
export type Guards = ReadonlySet<string>;

export const unguarded: Guards = new Set();

/** What a condition is looked at with. */
export interface Surroundings {
  /** Without bounds that nothing holds. */
  readonly index: ManifestIndex;
  /** World indices that each loop variable may stand for. */
  readonly variables: readonly (readonly number[])[];
}

type Extreme = Extract<EntityIr, { op: 'nearest' | 'farthest' }>;

/** What must be so for a condition to be true, or for it to be false. */
export function guardsOf(at: Surroundings, node: ExpressionIr, isTrue: boolean): Guards {
  switch (node.op) {
    case 'not':
      return guardsOf(at, node.value, !isTrue);
    case 'and':
    case 'or': {
      const isEach = isTrue === (node.op === 'and');
      return isEach
        ? bothGuards(guardsOf(at, node.left, isTrue), guardsOf(at, node.right, isTrue))
        : unguarded;
    }
    case 'aggregate':
      return new Set(isTrue && node.kind === 'any' ? keysOfMembers(node.set, node.where) : []);
    case 'relation':
      return new Set(isTrue ? [...extremes(node.from), ...extremes(node.to)] : []);
    case 'lt':
    case 'le': {
      const isStrict = isTrue === (node.op === 'lt');
      return isTrue ? below(at, node.left, node.right, isStrict) : below(at, node.right, node.left, isStrict);
    }
    case 'eq':
      return new Set([
        ...notZeroBeside(at, node.left, node.right, isTrue),
        ...notZeroBeside(at, node.right, node.left, isTrue),
      ]);
    default:
      return unguarded;
  }
}

export function bothGuards(a: Guards, b: Guards): Guards {
  return new Set([...a, ...b]);
}

/** What must be so for `small` to lie below `large`: a distance is below a number, 0 below a count, a value beyond 0. */
function below(at: Surroundings, small: ExpressionIr, large: ExpressionIr, isStrict: boolean): Guards {
  const known = { variables: at.variables };
  const [{ min }, { max }] = [boundsOf(at.index, small, known), boundsOf(at.index, large, known)];
  const found: string[] = [];
  if (small.op === 'distance' && large.op === 'number')
    found.push(...extremes(small.from), ...extremes(small.to));
  if (min > 0 || (isStrict && min === 0)) {
    found.push(keyOfNotZero(large));
    if (large.op === 'aggregate' && large.kind === 'count') {
      const keys = keysOfMembers(large.set, large.where);
      found.push(...keys, ...(min > 1 || (isStrict && min === 1) ? keys.map(keyOfTwo) : []));
    }
  }
  if (max < 0 || (isStrict && max === 0)) found.push(keyOfNotZero(small));
  return new Set(found);
}

/** A value that equals what is not 0, or differs from 0. */
function notZeroBeside(
  at: Surroundings,
  node: ExpressionIr,
  other: ExpressionIr,
  isEqual: boolean,
): string[] {
  const { min, max } = boundsOf(at.index, other, { variables: at.variables });
  const isKnown = isEqual ? min > 0 || max < 0 : min === 0 && max === 0;
  return isKnown ? [keyOfNotZero(node)] : [];
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

/** What is known where a set has a member of which a condition holds: that, that it has one at all, and how many. */
function keysOfMembers(set: SetIr, where: ExpressionIr): string[] {
  const isAny = where.op === 'boolean' && where.value;
  const count = keyOfNotZero({ op: 'aggregate', kind: 'count', set, where, body: null });
  return isAny ? [keyOf(set), count] : [keyOf(set), JSON.stringify([set, where]), count];
}

/** What has to be known for the choice not to be nobody. */
export function keyOfChoice({ set, where }: Extreme): string {
  return where === undefined ? keyOf(set) : JSON.stringify([set, where.condition]);
}

/** What is known of a set that has two members: one of them is not the one that others are compared with. */
export function keyOfTwo(key: string): string {
  return `two: ${key}`;
}

export function keyOf(what: SetIr | EntityIr): string {
  return JSON.stringify(what);
}

/** Of a value and of its size the same: one is 0 where the other is. */
export function keyOfNotZero(value: ExpressionIr): string {
  return value.op === 'abs' || value.op === 'neg' || value.op === 'sqrt'
    ? keyOfNotZero(value.value)
    : `not 0: ${JSON.stringify(value)}`;
}
