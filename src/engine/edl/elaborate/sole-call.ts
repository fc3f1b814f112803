import type { Call, Expression, Primary, Reference } from '../generated/ast.ts';

/** What an expression is when it is one name or one call and nothing around it. */
export interface SoleCall {
  readonly node: Call | Reference;
  readonly name: string;
  readonly path: readonly string[];
  /** Null for a name. */
  readonly arguments: readonly Expression[] | null;
  readonly anchor: Expression | undefined;
}

export function soleCall(expression: Expression): SoleCall | null {
  const primary = solePrimary(expression);
  if (primary?.$type !== 'Call' && primary?.$type !== 'Reference') return null;
  const { name, path } = primary;
  if (primary.$type === 'Reference') return { node: primary, name, path, arguments: null, anchor: undefined };
  return { node: primary, name, path, arguments: primary.arguments, anchor: primary.anchor };
}

/** What an expression is when no operator stands in it; null otherwise. */
export function solePrimary(expression: Expression): Primary | null {
  const [conjunction] = expression.operands;
  const [negation] = conjunction?.operands ?? [];
  const sum = negation?.operand.left;
  const [product] = sum?.operands ?? [];
  const [signed] = product?.operands ?? [];
  if (conjunction === undefined || negation === undefined || sum === undefined) return null;
  if (product === undefined || signed === undefined) return null;
  const isSole =
    expression.operands.length === 1 &&
    conjunction.operands.length === 1 &&
    negation.negations.length === 0 &&
    negation.operand.operator === undefined &&
    sum.operands.length === 1 &&
    product.operands.length === 1 &&
    signed.minuses.length === 0;
  return isSole ? signed.operand : null;
}
