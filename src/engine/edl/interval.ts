import type { BinaryOp, ExpressionIr, PlaceIr, UnaryOp } from './ir.ts';
import { heldIndex, type ManifestIndex } from './manifest-index.ts';
import { kindsOf, largestSize, mayBeNobody, membersOf, placeCandidates, smallestSize } from './population.ts';

/** Bounds of a value. Booleans are within 0..1. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

const anything: Interval = { min: -Infinity, max: Infinity };
const truth: Interval = { min: 0, max: 1 };
const point = (value: number): Interval => ({ min: value, max: value });

/** What is known about the surroundings of an expression beside the scenario. */
export interface Known {
  /** World indices that each loop variable may stand for, outermost first; without them it may be anybody. */
  readonly variables?: readonly (readonly number[])[];
  /** Bounds of the metrics that it may read. */
  readonly metrics?: ReadonlyMap<string, Interval>;
}

/** True or false where bounds that the scenario holds already decide a condition, else null. */
export function constantCondition(
  index: ManifestIndex,
  condition: ExpressionIr,
  known: Known = {},
): boolean | null {
  const { min, max } = boundsOf(heldIndex(index), condition, known);
  if (min === max) return min === 1;
  return null;
}

/**
 * Bounds of an expression over all states within the manifest's bounds. Of attributes that the manifest calls nominal
 * those are where values usually lie: over all states there are, ask with `heldIndex`.
 */
export function boundsOf(index: ManifestIndex, node: ExpressionIr, known: Known = {}): Interval {
  switch (node.op) {
    case 'number':
      return point(node.value);
    case 'boolean':
      return point(node.value ? 1 : 0);
    case 'signal':
      return index.signals.get(node.name) ?? anything;
    case 'metric':
      return (known.metrics ?? index.metrics).get(node.name) ?? anything;
    case 'attribute':
      return index.attributes[node.kind].get(node.name) ?? anything;
    case 'distance':
      return distanceBounds(index, node.from, node.to, known);
    case 'same':
    case 'recent':
      return truth;
    case 'relation':
      return relationBounds(index, node.name);
    case 'aggregate':
      return aggregateBounds(index, node, known);
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      return unaryBounds(node.op, boundsOf(index, node.value, known));
    default:
      return binaryBounds(node.op, boundsOf(index, node.left, known), boundsOf(index, node.right, known));
  }
}

function relationBounds(index: ManifestIndex, name: string): Interval {
  return index.relations.get(name)?.kind === 'boolean' ? truth : anything;
}

function unaryBounds(op: UnaryOp, value: Interval): Interval {
  switch (op) {
    case 'neg':
      return { min: -value.max, max: -value.min };
    case 'not':
      return { min: 1 - value.max, max: 1 - value.min };
    case 'abs': {
      const ends = [Math.abs(value.min), Math.abs(value.max)];
      return { min: value.min <= 0 && value.max >= 0 ? 0 : Math.min(...ends), max: Math.max(...ends) };
    }
    case 'sqrt':
      return { min: Math.sqrt(Math.max(0, value.min)), max: Math.sqrt(Math.max(0, value.max)) };
  }
}

function binaryBounds(op: BinaryOp, left: Interval, right: Interval): Interval {
  switch (op) {
    case 'add':
      return sumBounds(left.min + right.min, left.max + right.max);
    case 'sub':
      return sumBounds(left.min - right.max, left.max - right.min);
    case 'mul':
      return cornersOf(left, right, (a, b) => (a === 0 || b === 0 ? 0 : a * b));
    case 'div':
      return right.min <= 0 && right.max >= 0 ? anything : cornersOf(left, right, (a, b) => a / b);
    case 'min':
      return { min: Math.min(left.min, right.min), max: Math.min(left.max, right.max) };
    case 'max':
      return { min: Math.max(left.min, right.min), max: Math.max(left.max, right.max) };
    case 'lt':
      return decide(left.max < right.min, left.min >= right.max);
    case 'le':
      return decide(left.max <= right.min, left.min > right.max);
    case 'eq':
      return decide(
        left.min === left.max && right.min === right.max && left.min === right.min,
        left.max < right.min || left.min > right.max,
      );
    case 'and':
      return { min: Math.min(left.min, right.min), max: Math.min(left.max, right.max) };
    case 'or':
      return { min: Math.max(left.min, right.min), max: Math.max(left.max, right.max) };
  }
}

function decide(always: boolean, never: boolean): Interval {
  if (always) return point(1);
  return never ? point(0) : truth;
}

function sumBounds(min: number, max: number): Interval {
  return { min: Number.isNaN(min) ? -Infinity : min, max: Number.isNaN(max) ? Infinity : max };
}

function cornersOf(left: Interval, right: Interval, combine: (a: number, b: number) => number): Interval {
  const corners = [
    combine(left.min, right.min),
    combine(left.min, right.max),
    combine(left.max, right.min),
    combine(left.max, right.max),
  ];
  if (corners.some(Number.isNaN)) return anything;
  return { min: Math.min(...corners), max: Math.max(...corners) };
}

function aggregateBounds(
  index: ManifestIndex,
  node: Extract<ExpressionIr, { op: 'aggregate' }>,
  known: Known,
): Interval {
  const variables = known.variables ?? [];
  const inner = { ...known, variables: [...variables, membersOf(index, node.set, variables)] };
  const where = boundsOf(index, node.where, inner);
  const fewestMembers = smallestSize(index, node.set, variables);
  const most = where.max === 0 ? 0 : largestSize(index, node.set, variables);
  const fewest = where.min === 1 ? fewestMembers : 0;
  switch (node.kind) {
    case 'count':
      return { min: fewest, max: most };
    case 'any':
      return { min: fewest > 0 ? 1 : 0, max: most > 0 ? 1 : 0 };
    case 'all':
      return {
        min: where.min === 1 ? 1 : 0,
        max: where.max === 0 && fewestMembers > 0 ? 0 : 1,
      };
    default: {
      if (node.body === null) return anything;
      const body = boundsOf(index, node.body, inner);
      if (node.kind === 'sum') {
        const [low, high] = [fewest * body.min, most * body.max];
        return sumBounds(Math.min(low, most * body.min), Math.max(high, fewest * body.max));
      }
      // Over nobody they are 0.
      return fewest > 0 ? body : { min: Math.min(0, body.min), max: Math.max(0, body.max) };
    }
  }
}

/** Largest distance between two places within the bounds of their coordinates; no end where one may be nobody's. */
function distanceBounds(index: ManifestIndex, from: PlaceIr, to: PlaceIr, known: Known): Interval {
  const variables = known.variables ?? [];
  if (mayBeNobody(index, from, variables) || mayBeNobody(index, to, variables))
    return { min: 0, max: Infinity };
  const range = (place: PlaceIr, axis: string): Interval =>
    kindsOf(index, placeCandidates(index, place, variables))
      .map((kind): Interval => index.attributes[kind].get(axis) ?? anything)
      .reduce((a, b) => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }));
  const span = (axis: string): number => {
    const [a, b] = [range(from, axis), range(to, axis)];
    return Math.max(a.max - b.min, b.max - a.min);
  };
  return { min: 0, max: Math.hypot(span('x'), span('y')) };
}
