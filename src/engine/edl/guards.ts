import { mayBeNobody } from './interval.ts';
import type { EntityIr, ExpressionIr, SetIr } from './ir.ts';
import type { ManifestIndex } from './manifest-index.ts';

/** An attribute that is read of somebody who may not be there. */
export interface NobodyRead {
  readonly attribute: string;
  readonly of: Extract<EntityIr, { op: 'nearest' | 'farthest' }>;
}

/** Sets that are known to have a member where something is read, each as text. */
type Guards = ReadonlySet<string>;

/**
 * Attributes that an expression reads of a nearest or farthest member that may be nobody, where nothing says that it is
 * there: a condition before it (`any(…)`, `count(…) > 0`, a distance to it below a number, a relation to it), or `given`.
 */
export function nobodyReads(
  index: ManifestIndex,
  node: ExpressionIr,
  given: ExpressionIr | null = null,
): NobodyRead[] {
  const found: NobodyRead[] = [];
  walk(index, node, given === null ? new Set() : guardsOf(given, true), found);
  return found;
}

function walk(index: ManifestIndex, node: ExpressionIr, guards: Guards, found: NobodyRead[]): void {
  switch (node.op) {
    case 'attribute': {
      const { of } = node;
      const isExtreme = of.op === 'nearest' || of.op === 'farthest';
      if (isExtreme && mayBeNobody(index, of) && !guards.has(keyOf(of.set))) {
        found.push({ attribute: node.name, of });
      }
      return;
    }
    case 'aggregate':
      walk(index, node.where, guards, found);
      if (node.body !== null) walk(index, node.body, union(guards, guardsOf(node.where, true)), found);
      return;
    case 'and':
    case 'or':
      walk(index, node.left, guards, found);
      walk(index, node.right, union(guards, guardsOf(node.left, node.op === 'and')), found);
      return;
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      walk(index, node.value, guards, found);
      return;
    case 'number':
    case 'boolean':
    case 'signal':
    case 'metric':
    case 'distance':
    case 'relation':
    case 'recent':
    case 'same':
      return;
    default:
      walk(index, node.left, guards, found);
      walk(index, node.right, guards, found);
  }
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
      return new Set(isTrue && node.kind === 'any' ? [keyOf(node.set)] : []);
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
  return new Set(isCount && small.op === 'number' && small.value >= 0 ? [keyOf(large.set)] : []);
}

function extremes(place: { readonly op: string } & Partial<{ readonly set: SetIr | string }>): string[] {
  const isExtreme = place.op === 'nearest' || place.op === 'farthest';
  return isExtreme && typeof place.set === 'object' ? [keyOf(place.set)] : [];
}

function keyOf(set: SetIr): string {
  return JSON.stringify(set);
}

function union(a: Guards, b: Guards): Guards {
  return new Set([...a, ...b]);
}
