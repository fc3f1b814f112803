import type { IssueSpec, MetricReader } from './types.ts';

/** Where an issue stands after some evaluations. */
export interface IssueState {
  readonly isOpen: boolean;
  /** Evaluations in a row for which its condition held, counted from the last. */
  readonly streak: number;
}

export const quietIssue: IssueState = { isOpen: false, streak: 0 };

/** The length of a row of evaluations after one more of them. */
export function advanceStreak(streak: number, holds: boolean): number {
  return holds ? streak + 1 : 0;
}

/**
 * The state after one more evaluation. An issue opens when its condition held `forEvaluations` times in a row. It
 * closes when `until` holds or, where it has none, as soon as the condition fails. Without `until` a value that is
 * missing counts as a failure; with it a missing value changes nothing.
 */
export function advanceIssue(
  issue: IssueSpec,
  state: IssueState,
  metrics: MetricReader,
  subject?: string,
): IssueState {
  const streak = advanceStreak(state.streak, issue.evaluate(metrics, subject));
  const isOpen = state.isOpen || streak >= issue.forEvaluations;
  return isOpen && issue.isOver(metrics, subject) ? { isOpen: false, streak: 0 } : { isOpen, streak };
}

/** The state after a history of evaluations, oldest first. The same history always gives the same state. */
export function issueAfter(issue: IssueSpec, history: readonly MetricReader[], subject?: string): IssueState {
  return history.reduce((state, metrics) => advanceIssue(issue, state, metrics, subject), quietIssue);
}
