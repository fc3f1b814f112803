import type { BinaryOp, EntityIr, ExpressionIr, SetIr, UnaryOp } from './ir.ts';
import type { ManifestIndex } from './manifest-index.ts';
import { relatedAgents } from './relation.ts';
import type { MetricCondition, MetricReader } from './types.ts';

/** What a condition over metrics is judged with. */
export interface MetricScope {
  readonly index: ManifestIndex;
  readonly metrics: MetricReader;
  /** Names of the agents that the variables stand for, outermost first. */
  readonly variables: readonly string[];
}

/** The runnable face of a condition over metrics, without a subject. */
export function makeMetricCondition(index: ManifestIndex, ir: ExpressionIr, text: string): MetricCondition {
  return {
    text,
    metrics: metricsOf(ir),
    holds: (metrics) => evaluateMetrics({ index, metrics, variables: [] }, ir) === 1,
  };
}

/** Names of the metrics a condition reads, sorted. */
export function metricsOf(...conditions: readonly ExpressionIr[]): string[] {
  const found = new Set<string>();
  for (const condition of conditions) collectMetrics(condition, found);
  return [...found].sort();
}

function collectMetrics(node: ExpressionIr, into: Set<string>): void {
  if (node.op === 'metric') into.add(node.name);
  if (node.op === 'aggregate') {
    collectMetrics(node.where, into);
    if (node.body !== null) collectMetrics(node.body, into);
  }
  if ('left' in node && node.op !== 'same') {
    collectMetrics(node.left, into);
    collectMetrics(node.right, into);
  }
  if ('value' in node && typeof node.value === 'object') collectMetrics(node.value, into);
}

/**
 * An expression over metrics; booleans are 0 and 1. A metric that is missing or not finite makes what depends on it
 * undefined (NaN), as the simulator treats what cannot be computed.
 */
export function evaluateMetrics(scope: MetricScope, node: ExpressionIr): number {
  switch (node.op) {
    case 'number':
      return node.value;
    case 'boolean':
      return node.value ? 1 : 0;
    case 'metric':
      return readMetric(scope, node);
    case 'same':
      return agentOf(scope, node.left) === agentOf(scope, node.right) ? 1 : 0;
    case 'aggregate':
      return evaluateAggregate(scope, node);
    case 'signal':
    case 'attribute':
    case 'distance':
    case 'relation':
    case 'recent':
      return Number.NaN;
    case 'neg':
    case 'abs':
    case 'sqrt':
    case 'not':
      return evaluateUnary(node.op, evaluateMetrics(scope, node.value));
    default:
      return evaluateBinary(node.op, evaluateMetrics(scope, node.left), evaluateMetrics(scope, node.right));
  }
}

function readMetric(scope: MetricScope, node: Extract<ExpressionIr, { op: 'metric' }>): number {
  const subject = node.of === null ? undefined : agentOf(scope, node.of);
  const value = subject === undefined ? scope.metrics(node.name) : scope.metrics(node.name, subject);
  return value === undefined || !Number.isFinite(value) ? Number.NaN : value;
}

function agentOf(scope: MetricScope, entity: EntityIr): string {
  if (entity.op === 'variable') return scope.variables[entity.index] ?? '';
  return entity.op === 'entity' ? entity.name : '';
}

/** Names of the agents in a set, in index order. */
export function agentsOf(index: ManifestIndex, set: SetIr, variables: readonly string[] = []): string[] {
  if (set.op === 'set') {
    const found = index.sets.get(set.name);
    return found === undefined ? [set.name] : found.entities.flatMap((entity) => nameOf(index, entity));
  }
  const name =
    set.of.op === 'variable' ? variables[set.of.index] : set.of.op === 'entity' ? set.of.name : undefined;
  const agent = index.entities.get(name ?? '');
  if (agent === undefined) return [];
  return relatedAgents(index, set.op, agent.index).flatMap((entity) => nameOf(index, entity));
}

function nameOf(index: ManifestIndex, entity: number): string[] {
  const found = index.entitiesByIndex.get(entity);
  return found === undefined ? [] : [found.name];
}

/** Of members only those that hold are read; one whose condition is undefined leaves all undefined. */
function evaluateAggregate(scope: MetricScope, node: Extract<ExpressionIr, { op: 'aggregate' }>): number {
  const members = agentsOf(scope.index, node.set, scope.variables).map((name) => {
    return { ...scope, variables: [...scope.variables, name] };
  });
  const holds = members.map((member) => evaluateMetrics(member, node.where));
  if (node.kind === 'any') return holds.reduce((so, one) => evaluateBinary('or', so, one), 0);
  if (node.kind === 'all') return holds.reduce((so, one) => evaluateBinary('and', so, one), 1);
  if (holds.some(Number.isNaN)) return Number.NaN;
  const { body } = node;
  const values = members
    .filter((_, i) => holds[i] === 1)
    .map((member) => (body === null ? 1 : evaluateMetrics(member, body)));
  const sum = values.reduce((so, value) => so + value, 0);
  if (node.kind === 'count' || node.kind === 'sum') return sum;
  if (values.length === 0) return 0;
  if (node.kind === 'mean') return sum / values.length;
  return values.reduce((so, value) => evaluateBinary(node.kind === 'min' ? 'min' : 'max', so, value));
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
