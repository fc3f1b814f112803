import type { ConstraintIr, MetricIr } from '../ir.ts';
import { binaryIr } from '../ir-make.ts';
import {
  concerned,
  declareAction,
  firedAction,
  instanceCondition,
  lowerTargets,
  rootScope,
  unroll,
} from './blocks.ts';
import { lowerExpression } from './expressions.ts';
import type { ValueGraph } from './graph.ts';
import type { ProgramTable } from './program-table.ts';
import type { Action } from './schedule.ts';

/** The sum of the violations of all constraints, per agent: a metric of every environment that has a constraint. */
export const violationsMetric = 'constraint_violations';

const violationsDoc = 'Violations of all constraints, counted per step and instance, sum over the episode.';

/** The samples of a metric: one per agent of its loop, or one for the environment. */
export function lowerMetric(table: ProgramTable, graph: ValueGraph, metric: MetricIr, doc: string): Action[] {
  const { name, unit, fold, better } = metric;
  const isPerAgent = metric.loops.length > 0;
  const number = table.metrics.push({ name, unit, isPerAgent, fold, better, doc }) - 1;
  const scopes = unroll(rootScope(table, graph), metric.loops);
  const actions: Action[] = [declareAction(table.declare('metric', name, scopes.length))];
  for (const scope of scopes) {
    const condition = instanceCondition(scope, { op: 'boolean', value: true });
    const value = lowerExpression(scope, metric.value);
    const [agent] = scope.variables;
    const entity = agent?.type === 'fixed' ? agent.index : 0;
    actions.push({ op: 'MEASURE', dst: number, a: entity, b: value, c: condition });
  }
  return actions;
}

/** Counts the violations of a constraint for whom it concerns, in a metric of its name and in that of all. */
export function lowerViolations(
  table: ProgramTable,
  graph: ValueGraph,
  constraint: ConstraintIr,
  doc: string,
): Action[] {
  const { name, guard, violated } = constraint;
  const numbers = [
    violationMetric(table, name, doc),
    violationMetric(table, violationsMetric, violationsDoc),
  ];
  const scopes = unroll(rootScope(table, graph), constraint.loops);
  const declaration = table.declare('constraint', name, scopes.length);
  const actions: Action[] = [declareAction(declaration)];
  for (const scope of scopes) {
    const broken = instanceCondition(scope, binaryIr('and', guard, violated));
    actions.push(firedAction(declaration, broken));
    for (const { entity, when } of lowerTargets(scope, concerned(table.index, constraint), broken)) {
      for (const dst of numbers) actions.push({ op: 'MEASURE', dst, a: entity, b: when, c: graph.number(1) });
    }
  }
  return actions;
}

/** The number of a metric that sums violations, entered when it is first asked for. */
function violationMetric(table: ProgramTable, name: string, doc: string): number {
  const known = table.metrics.findIndex((metric) => metric.name === name);
  if (known >= 0) return known;
  return table.metrics.push({ name, unit: 'none', isPerAgent: true, fold: 'sum', better: 'lower', doc }) - 1;
}
