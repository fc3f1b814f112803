import type { BinaryOp, ExpressionIr, SetIr, UnaryOp } from './ir.ts';
import type { ManifestIndex } from './manifest-index.ts';
import { relatedAgents } from './relation.ts';

/** Bounds of a value. Booleans are within 0..1. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

const anything: Interval = { min: -Infinity, max: Infinity };
const truth: Interval = { min: 0, max: 1 };
const point = (value: number): Interval => ({ min: value, max: value });

/** True or false where the manifest's bounds already decide a condition, else null. */
export function constantCondition(index: ManifestIndex, condition: ExpressionIr): boolean | null {
  const { min, max } = boundsOf(index, condition);
  if (min === max) return min === 1;
  return null;
}

/** Bounds of an expression over all states the manifest allows. */
export function boundsOf(index: ManifestIndex, node: ExpressionIr): Interval {
  switch (node.op) {
    case 'number':
      return point(node.value);
    case 'boolean':
      return point(node.value ? 1 : 0);
    case 'signal':
      return index.signals.get(node.name) ?? anything;
    case 'metric':
      return index.metrics.get(node.name) ?? anything;
    case 'attribute':
      return index.attributes[node.kind].get(node.name) ?? anything;
    case 'distance':
      return { min: 0, max: Infinity };
    case 'same':
    case 'recent':
      return truth;
    case 'relation':
      return relationBounds(index, node.name);
    case 'aggregate':
      return aggregateBounds(index, node);
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      return unaryBounds(node.op, boundsOf(index, node.value));
    default:
      return binaryBounds(node.op, boundsOf(index, node.left), boundsOf(index, node.right));
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
      return known(left.min + right.min, left.max + right.max);
    case 'sub':
      return known(left.min - right.max, left.max - right.min);
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

function known(min: number, max: number): Interval {
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

function aggregateBounds(index: ManifestIndex, node: Extract<ExpressionIr, { op: 'aggregate' }>): Interval {
  const size = largestSize(index, node.set);
  switch (node.kind) {
    case 'count':
      return { min: 0, max: size };
    case 'any':
    case 'all':
      return truth;
    default: {
      if (node.body === null) return anything;
      const body = boundsOf(index, node.body);
      const count = node.kind === 'sum' ? size : 1;
      return known(Math.min(0, count * body.min), Math.max(0, count * body.max));
    }
  }
}

/** Most members a set has. */
export function largestSize(index: ManifestIndex, set: SetIr): number {
  if (set.op === 'set') {
    const found = index.sets.get(set.name);
    return found === undefined || found.dynamic ? 1 : found.entities.length;
  }
  const relation = set.op;
  return Math.max(
    0,
    ...[...index.groupOf.keys()].map((agent) => relatedAgents(index, relation, agent).length),
  );
}
