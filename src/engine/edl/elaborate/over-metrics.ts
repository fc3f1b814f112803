import type { Expression, Persistence } from '../generated/ast.ts';
import { constantCondition, type Interval } from '../interval.ts';
import type { ExpressionIr } from '../ir.ts';
import { parseNumber } from '../number-text.ts';
import { type Context, elaborateCondition } from './context.ts';

const maxEvaluations = 1000;

/** A condition over metrics, or null with a diagnostic; warns where it cannot change. */
export function elaborateOverMetrics(context: Context, node: Expression, what: string): ExpressionIr | null {
  const condition = elaborateUnjudged(context, node, what);
  if (condition !== null) warnConstant(context, node, condition, context.metrics);
  return condition;
}

/** A condition over metrics whose bounds are not all known yet; null with a diagnostic. */
export function elaborateUnjudged(context: Context, node: Expression, what: string): ExpressionIr | null {
  return elaborateCondition({ ...context, reads: 'metrics' }, node, what)?.ir ?? null;
}

/** Warns where a condition cannot change while metrics are within these bounds. */
export function warnConstant(
  { index, reporter }: Pick<Context, 'index' | 'reporter'>,
  node: Expression,
  condition: ExpressionIr,
  metrics: ReadonlyMap<string, Interval>,
): void {
  const constant = constantCondition(index, condition, { metrics });
  if (constant === null) return;
  const message = `the condition ${constant ? 'always' : 'never'} holds within the bounds of the metrics`;
  reporter.report('EDL502', { node }, message);
}

/** `for N evaluations`: how often in a row, once where it is not said; null with a diagnostic. */
export function readEvaluations(context: Context, node: Persistence | undefined): number | null {
  if (node === undefined) return 1;
  const count = parseNumber(node.evaluations);
  if (Number.isInteger(count) && count >= 1 && count <= maxEvaluations) return count;
  const message = `a whole number of evaluations, 1 to ${maxEvaluations}`;
  context.reporter.report('EDL505', { node, property: 'evaluations' }, message);
  return null;
}
