import type { ExpressionIr, IssueIr } from './ir.ts';
import type { ManifestIndex } from './manifest-index.ts';
import { agentsOf, evaluateMetrics, metricsOf } from './metric-condition.ts';
import type { IssueSpec, MetricReader } from './types.ts';

/** What of an issue is not in its canonical form. */
export interface IssueProse {
  readonly doc: string;
  readonly condition: string;
  readonly until: string | null;
}

/** The runnable face of an issue. Missing or non-finite metrics make what depends on them undefined: it does not hold. */
export function makeIssueSpec(index: ManifestIndex, ir: IssueIr, prose: IssueProse): IssueSpec {
  const holds = (condition: ExpressionIr, metrics: MetricReader, subject: string | undefined): boolean => {
    return (
      evaluateMetrics({ index, metrics, variables: subject === undefined ? [] : [subject] }, condition) === 1
    );
  };
  const { condition, until } = ir;
  return {
    name: ir.name,
    ...prose,
    forEvaluations: ir.forEvaluations,
    subjects: ir.subject === null ? null : agentsOf(index, ir.subject),
    metrics: until === null ? metricsOf(condition) : metricsOf(condition, until),
    evaluate: (metrics, subject) => holds(condition, metrics, subject),
    isOver: (metrics, subject) =>
      until === null ? !holds(condition, metrics, subject) : holds(until, metrics, subject),
  };
}
