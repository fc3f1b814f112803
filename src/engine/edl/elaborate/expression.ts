import type { AstNode } from 'langium';
import { multiplyMeasures, plain } from '../dimension.ts';
import type {
  Comparison,
  Conjunction,
  Expression,
  Negation,
  Primary,
  Product,
  Quantity,
  Signed,
  Sum,
} from '../generated/ast.ts';
import type { BinaryOp, ExpressionIr } from '../ir.ts';
import { binaryIr, sameIr, unaryIr } from '../ir-make.ts';
import { elaborateAggregate } from './aggregate.ts';
import { elaborateBound } from './bound-call.ts';
import { asBoolean, asNumber, type Context, type ExpressionNode, nested } from './context.ts';
import { elaborateCall } from './functions.ts';
import { elaborateReferenceMethod } from './method.ts';
import { readQuantity } from './quantity.ts';
import { elaborateReference } from './reference.ts';
import { recordDivisor } from './undefined.ts';
import { reconcile } from './units.ts';
import type { NumberValue, Value } from './value.ts';

const maxOperands = 500;

/** The value an expression denotes, or null with diagnostics. */
export function elaborateExpression(context: Context, node: ExpressionNode): Value | null {
  switch (node.$type) {
    case 'Expression':
      return elaborateDisjunction(context, node);
    case 'Sum':
      return elaborateSum(context, node);
    case 'Product':
      return elaborateProduct(context, node);
  }
}

function elaborateDisjunction(context: Context, node: Expression): Value | null {
  return connect(context, node, 'or', node.operands, elaborateConjunction);
}

function elaborateConjunction(context: Context, node: Conjunction): Value | null {
  return connect(context, node, 'and', node.operands, elaborateNegation);
}

function connect<N extends AstNode>(
  context: Context,
  node: AstNode,
  op: 'and' | 'or',
  operands: readonly N[],
  elaborateOperand: (context: Context, node: N) => Value | null,
): Value | null {
  const [first, ...rest] = operands;
  if (first === undefined || isTooLong(context, node, operands)) return null;
  let result = elaborateOperand(context, first);
  if (rest.length === 0) return result;
  if (result !== null) result = asBoolean(context, result, first, `a side of '${op}'`);
  for (const operand of rest) {
    const value = elaborateOperand(context, operand);
    const side = value === null ? null : asBoolean(context, value, operand, `a side of '${op}'`);
    result =
      side === null || result?.type !== 'boolean'
        ? null
        : { type: 'boolean', ir: binaryIr(op, result.ir, side.ir) };
  }
  return result;
}

function elaborateNegation(context: Context, node: Negation): Value | null {
  const value = elaborateComparison(context, node.operand);
  if (node.negations.length === 0 || value === null) return value;
  const condition = asBoolean(context, value, node.operand, "what follows 'not'");
  if (condition === null || node.negations.length % 2 === 0) return condition;
  return { type: 'boolean', ir: unaryIr('not', condition.ir) };
}

function elaborateComparison(context: Context, node: Comparison): Value | null {
  const left = elaborateSum(context, node.left);
  if (node.operator === undefined || node.right === undefined) return left;
  const right = elaborateSum(context, node.right);
  if (left === null || right === null) return null;
  const isEquality = node.operator === '==' || node.operator === '!=';
  if (isEquality) {
    const equal = equalIr(left, right);
    if (equal !== null) return negateIf(node.operator === '!=', equal);
  }
  const numbers = comparedNumbers(context, node.left, left, node.right, right);
  return numbers === null ? null : compare(node.operator, numbers.left, numbers.right);
}

function comparedNumbers(context: Context, leftNode: Sum, left: Value, rightNode: Sum, right: Value) {
  const leftNumber = asNumber(context, left, leftNode, 'what is compared');
  const rightNumber = asNumber(context, right, rightNode, 'what is compared');
  if (leftNumber === null || rightNumber === null) return null;
  return reconcile(
    context,
    { value: leftNumber, node: leftNode },
    { value: rightNumber, node: rightNode },
    'compared',
  );
}

/** Whether two entities are the same, or two conditions agree; null for what is compared as numbers. */
function equalIr(left: Value, right: Value): Value | null {
  if (left.type === 'entity' && right.type === 'entity')
    return { type: 'boolean', ir: sameIr(left.ir, right.ir) };
  if (left.type === 'boolean' && right.type === 'boolean') {
    return { type: 'boolean', ir: binaryIr('eq', left.ir, right.ir) };
  }
  return null;
}

function negateIf(isNegated: boolean, value: Value): Value {
  return isNegated && value.type === 'boolean' ? { type: 'boolean', ir: unaryIr('not', value.ir) } : value;
}

/** `a > b` is `b < a`: one canonical form for both. */
function compare(
  operator: NonNullable<Comparison['operator']>,
  left: NumberValue,
  right: NumberValue,
): Value {
  switch (operator) {
    case '<':
      return { type: 'boolean', ir: binaryIr('lt', left.ir, right.ir) };
    case '<=':
      return { type: 'boolean', ir: binaryIr('le', left.ir, right.ir) };
    case '>':
      return { type: 'boolean', ir: binaryIr('lt', right.ir, left.ir) };
    case '>=':
      return { type: 'boolean', ir: binaryIr('le', right.ir, left.ir) };
    case '==':
      return { type: 'boolean', ir: binaryIr('eq', left.ir, right.ir) };
    case '!=':
      return { type: 'boolean', ir: unaryIr('not', binaryIr('eq', left.ir, right.ir)) };
  }
}

function elaborateSum(context: Context, node: Sum): Value | null {
  return fold(context, node, elaborateProduct, (left, right, operator) => {
    const both = reconcile(context, left, right, operator === '+' ? 'added' : 'subtracted');
    if (both === null) return null;
    const ir = binaryIr(operator === '+' ? 'add' : 'sub', both.left.ir, both.right.ir);
    const measure = both.left.isBare ? both.right.measure : both.left.measure;
    return { type: 'number', ir, measure, isBare: both.left.isBare && both.right.isBare };
  });
}

function elaborateProduct(context: Context, node: Product): Value | null {
  return fold(context, node, elaborateSigned, (left, right, operator) => {
    const isDivision = operator === '/';
    if (isDivision && right.value.ir.op === 'number' && right.value.ir.value === 0) {
      context.reporter.report('EDL501', { node: right.node }, 'division by zero');
      return null;
    }
    const op: BinaryOp = isDivision ? 'div' : 'mul';
    const measure = multiplyMeasures(left.value.measure, right.value.measure, isDivision ? -1 : 1);
    const isBare = left.value.isBare && right.value.isBare;
    const ir = binaryIr(op, left.value.ir, right.value.ir);
    if (isDivision) recordDivisor(ir, { node: right.node, measure: right.value.measure });
    return { type: 'number', ir, measure, isBare };
  });
}

interface Operand {
  readonly value: NumberValue;
  readonly node: AstNode;
}

/** Combines a chain `a op b op c` from the left; a failed operand fails the chain, after all have been looked at. */
function fold<N extends AstNode>(
  context: Context,
  node: AstNode & { readonly operands: readonly N[]; readonly operators: readonly string[] },
  elaborateOperand: (context: Context, node: N) => Value | null,
  combine: (left: Operand, right: Operand, operator: string) => NumberValue | null,
): Value | null {
  const [first, ...rest] = node.operands;
  if (first === undefined || isTooLong(context, node, node.operands)) return null;
  const start = elaborateOperand(context, first);
  if (rest.length === 0) return start;
  let result = start === null ? null : asNumber(context, start, first, 'an operand');
  let place: AstNode = first;
  for (const [i, operand] of rest.entries()) {
    const value = elaborateOperand(context, operand);
    const right = value === null ? null : asNumber(context, value, operand, 'an operand');
    const operator = node.operators[i] ?? '';
    const left: Operand | null = result === null ? null : { value: result, node: place };
    const combined =
      left === null || right === null ? null : combine(left, { value: right, node: operand }, operator);
    result = combined === null ? null : finiteOrReport(context, combined, operand);
    place = operand;
  }
  return result;
}

/** Constants are folded where they are finite: what is made of constants and was not is no number. */
function finiteOrReport(context: Context, value: NumberValue, node: AstNode): NumberValue | null {
  if (!isConstant(value.ir) || value.ir.op === 'number') return value;
  context.reporter.report('EDL106', { node }, 'what is computed here from constants is no finite number');
  return null;
}

function isConstant(ir: ExpressionIr): boolean {
  if (ir.op === 'number') return true;
  return (
    (ir.op === 'add' || ir.op === 'sub' || ir.op === 'mul' || ir.op === 'div') &&
    ir.left.op === 'number' &&
    ir.right.op === 'number'
  );
}

function isTooLong(context: Context, node: AstNode, operands: readonly unknown[]): boolean {
  if (operands.length <= maxOperands) return false;
  context.reporter.report(
    'EDL105',
    { node },
    `a chain of ${operands.length} operands; at most ${maxOperands} are read`,
  );
  return true;
}

function elaborateSigned(context: Context, node: Signed): Value | null {
  const value = elaboratePrimary(context, node.operand);
  if (node.minuses.length === 0 || value === null) return value;
  const number = asNumber(context, value, node.operand, "what follows '-'");
  if (number === null || node.minuses.length % 2 === 0) return number;
  return { ...number, ir: unaryIr('neg', number.ir) };
}

function elaboratePrimary(context: Context, node: Primary): Value | null {
  switch (node.$type) {
    case 'Quantity':
      return elaborateQuantity(context, node);
    case 'Reference': {
      if (node.method === undefined) return elaborateReference(context, node);
      const inner = nested(context, node);
      return inner === null ? null : elaborateReferenceMethod(inner, node, node.method);
    }
    case 'Group': {
      const inner = nested(context, node);
      return inner === null ? null : elaborateExpression(inner, node.inner);
    }
    case 'Call': {
      const inner = nested(context, node);
      return inner === null ? null : elaborateCall(inner, node);
    }
    case 'Aggregate': {
      const inner = nested(context, node);
      return inner === null ? null : elaborateAggregate(inner, node);
    }
    case 'Quantifier': {
      const inner = nested(context, node);
      return inner === null ? null : elaborateBound(inner, node);
    }
  }
}

function elaborateQuantity(context: Context, node: Quantity): Value | null {
  const quantity = readQuantity(context.reporter, node, context.index.manifest.stepSeconds);
  if (quantity === null) return null;
  return {
    type: 'number',
    ir: { op: 'number', value: quantity.value },
    measure: quantity.measure ?? plain,
    isBare: quantity.measure === null,
  };
}
