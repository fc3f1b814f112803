import type { BinaryOp, ExpressionIr, IssueIr, UnaryOp } from './ir.ts';
import type { IssueSpec } from './types.ts';

type Metrics = (name: string) => number | undefined;

/** The runnable face of an issue. Missing or non-finite metrics make what depends on them undefined (NaN). */
export function makeIssueSpec(ir: IssueIr, doc: string, conditionText: string): IssueSpec {
  return {
    name: ir.name,
    doc,
    condition: conditionText,
    forEvaluations: ir.forEvaluations,
    metrics: metricsOf(ir.condition),
    evaluate: (read) => evaluate(ir.condition, read) === 1,
  };
}

/** Names of the metrics a condition reads, sorted. */
export function metricsOf(condition: ExpressionIr): string[] {
  const found = new Set<string>();
  collectMetrics(condition, found);
  return [...found].sort();
}

function collectMetrics(node: ExpressionIr, into: Set<string>): void {
  if (node.op === 'metric') into.add(node.name);
  if ('left' in node && node.op !== 'same') {
    collectMetrics(node.left, into);
    collectMetrics(node.right, into);
  }
  if ('value' in node && typeof node.value === 'object') collectMetrics(node.value, into);
}

function evaluate(node: ExpressionIr, metrics: Metrics): number {
  switch (node.op) {
    case 'number':
      return node.value;
    case 'boolean':
      return node.value ? 1 : 0;
    case 'metric': {
      const value = metrics(node.name);
      return value === undefined || !Number.isFinite(value) ? Number.NaN : value;
    }
    case 'signal':
    case 'attribute':
    case 'distance':
    case 'same':
    case 'aggregate':
      return Number.NaN;
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      return evaluateUnary(node.op, evaluate(node.value, metrics));
    default:
      return evaluateBinary(node.op, evaluate(node.left, metrics), evaluate(node.right, metrics));
  }
}

function evaluateUnary(op: UnaryOp, value: number): number {
  if (op === 'neg') return -value;
  if (op === 'abs') return Math.abs(value);
  return op === 'sqrt' ? Math.sqrt(value) : 1 - value;
}

/** Undefined is passed on as NaN, except where the other side of `and` or `or` decides alone. */
function evaluateBinary(op: BinaryOp, a: number, b: number): number {
  if (op === 'and') return a === 0 || b === 0 ? 0 : a * b;
  if (op === 'or') return a === 1 || b === 1 ? 1 : a + b;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'div':
      return b === 0 ? Number.NaN : a / b;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    case 'lt':
      return a < b ? 1 : 0;
    case 'le':
      return a <= b ? 1 : 0;
    case 'eq':
      return a === b ? 1 : 0;
  }
}
