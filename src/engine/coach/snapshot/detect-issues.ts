import type { IssueSpec } from '../../edl/types.ts';
import type { RunSeries } from '../types.ts';
import { metricHistory } from './metric-history.ts';
import type { SnapshotIssue } from './snapshot-schema.ts';

/**
 * Evaluates the declared issues over the run's last evaluations. An issue fires when its condition held in each of
 * the last `forEvaluations` ones; fewer evaluations than that never fire it.
 */
export function detectIssues(issues: readonly IssueSpec[], series: RunSeries): SnapshotIssue[] {
  return issues.map((issue) => detectIssue(issue, series));
}

function detectIssue(issue: IssueSpec, series: RunSeries): SnapshotIssue {
  const histories = new Map(issue.metrics.map((name) => [name, metricHistory(series, name).values]));
  const available = Math.min(...[...histories.values()].map((values) => values.length));
  const heldEvaluations = countHeld(issue, histories, Number.isFinite(available) ? available : 0);
  const evidence: Record<string, number> = {};
  for (const [name, values] of histories) {
    const last = values[values.length - 1];
    if (last !== undefined) evidence[name] = last;
  }
  const { name, doc, condition, forEvaluations } = issue;
  const isFiring = heldEvaluations >= Math.max(1, forEvaluations);
  return { name, doc, condition, isFiring, heldEvaluations, forEvaluations, evidence };
}

/** How many evaluations in a row, counted from the last, the condition held. */
function countHeld(
  issue: IssueSpec,
  histories: ReadonlyMap<string, ArrayLike<number>>,
  available: number,
): number {
  for (let back = 1; back <= available; back++) {
    const at = (name: string): number | undefined => {
      const values = histories.get(name);
      return values?.[values.length - back];
    };
    if (!issue.evaluate(at)) return back - 1;
  }
  return available;
}
