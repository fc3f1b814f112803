import type { BinaryOp, EntityIr, ExpressionIr, PlaceIr, UnaryOp } from './ir.ts';

/** Constructors of the canonical form: they fold what is constant, so equal meanings look more alike. */
export const numberIr = (value: number): ExpressionIr => ({ op: 'number', value: value === 0 ? 0 : value });
const booleanIr = (value: boolean): ExpressionIr => ({ op: 'boolean', value });
export const alwaysIr: ExpressionIr = booleanIr(true);

const arithmetic: Partial<Record<BinaryOp, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  min: Math.min,
  max: Math.max,
};

const comparison: Partial<Record<BinaryOp, (a: number, b: number) => boolean>> = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  eq: (a, b) => a === b,
};

export function binaryIr(op: BinaryOp, left: ExpressionIr, right: ExpressionIr): ExpressionIr {
  if (op === 'and' || op === 'or') return connectiveIr(op, left, right);
  if (left.op === 'number' && right.op === 'number') {
    const compare = comparison[op];
    if (compare !== undefined) return booleanIr(compare(left.value, right.value));
    const value = arithmetic[op]?.(left.value, right.value);
    if (value !== undefined && Number.isFinite(value)) return numberIr(value);
  }
  return { op, left, right };
}

function connectiveIr(op: 'and' | 'or', left: ExpressionIr, right: ExpressionIr): ExpressionIr {
  const neutral = op === 'and';
  if (left.op === 'boolean') return left.value === neutral ? right : left;
  if (right.op === 'boolean') return right.value === neutral ? left : right;
  return { op, left, right };
}

export function unaryIr(op: UnaryOp, value: ExpressionIr): ExpressionIr {
  if (op === 'not') {
    if (value.op === 'boolean') return booleanIr(!value.value);
    if (value.op === 'not') return value.value;
    return { op, value };
  }
  if (value.op === 'number') {
    if (op === 'neg') return numberIr(-value.value);
    if (op === 'abs') return numberIr(Math.abs(value.value));
    if (value.value >= 0) return numberIr(Math.sqrt(value.value));
  }
  return { op, value };
}

export function samePlace(left: PlaceIr, right: PlaceIr): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

export function sameEntity(left: EntityIr, right: EntityIr): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

export function sameIr(left: EntityIr, right: EntityIr): ExpressionIr {
  if (left.op === 'entity' && right.op === 'entity') return booleanIr(left.name === right.name);
  return sameEntity(left, right) ? booleanIr(true) : { op: 'same', left, right };
}
