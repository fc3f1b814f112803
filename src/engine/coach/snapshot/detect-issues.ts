import { issueAfter } from '../../edl/issue-state.ts';
import type { IssueSpec, MetricReader } from '../../edl/types.ts';
import type { RunSeries } from '../types.ts';
import { readEvaluations } from './evaluations.ts';
import type { SnapshotIssue } from './snapshot-schema.ts';

/**
 * Follows the declared issues over the run's evaluations, each of its subjects on its own. An issue fires from when its
 * condition held in `forEvaluations` of them in a row until it ends, as `until` says or with the condition.
 */
export function detectIssues(issues: readonly IssueSpec[], series: RunSeries): SnapshotIssue[] {
  const evaluations = readEvaluations(series);
  return issues.flatMap((issue) =>
    issue.subjects === null
      ? [detectIssue(issue, evaluations, null)]
      : issue.subjects.map((subject) => detectIssue(issue, evaluations, subject)),
  );
}

function detectIssue(
  issue: IssueSpec,
  evaluations: readonly MetricReader[],
  subject: string | null,
): SnapshotIssue {
  const { isOpen, streak } = issueAfter(issue, evaluations, subject ?? undefined);
  const { name, doc, condition, until, forEvaluations } = issue;
  return {
    name,
    subject,
    doc,
    condition,
    until,
    isFiring: isOpen,
    heldEvaluations: streak,
    forEvaluations,
    evidence: readEvidence(issue.metrics, evaluations, subject),
  };
}

/** The last value of each metric: the subject's own where there is one. */
function readEvidence(
  metrics: readonly string[],
  evaluations: readonly MetricReader[],
  subject: string | null,
): Record<string, number> {
  const evidence: Record<string, number> = {};
  for (const name of metrics) {
    const value =
      (subject === null ? undefined : lastOf(evaluations, name, subject)) ?? lastOf(evaluations, name);
    if (value !== undefined) evidence[name] = value;
  }
  return evidence;
}

function lastOf(evaluations: readonly MetricReader[], name: string, subject?: string): number | undefined {
  const values = evaluations.map((read) => (subject === undefined ? read(name) : read(name, subject)));
  return values.findLast((value) => value !== undefined && Number.isFinite(value));
}

/** Issues in a line: "lone_wolf (Goes alone), uncovered". */
export function tellIssues(issues: readonly Pick<SnapshotIssue, 'name' | 'subject' | 'doc'>[]): string {
  return issues
    .map((issue) => (issue.doc === '' ? titleOf(issue) : `${titleOf(issue)} (${issue.doc})`))
    .join(', ');
}

/** "red_1: lone_wolf" or "lone_wolf", as it is listed wherever issues are told. */
export function titleOf({ name, subject }: Pick<SnapshotIssue, 'name' | 'subject'>): string {
  return subject === null ? name : `${subject}: ${name}`;
}
