import { runLabels } from '../../state/run-labels.ts';
import type { Comparison } from './use-compare.ts';

type SummaryCell = Pick<Comparison['summaries'][number], 'last' | 'min' | 'max'>;

export interface SummaryTable {
  readonly runIds: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly cells: readonly (SummaryCell | null)[];
  }[];
}

/** Last value and range per metric and run; metrics in the order the engine gives them. */
export function summaryTable(comparison: Comparison): SummaryTable {
  const runIds = comparison.runs.map((run) => run.runId);
  const keys = [...new Set(comparison.summaries.map((summary) => summary.key))];
  const byCell = new Map(comparison.summaries.map((summary) => [`${summary.runId} ${summary.key}`, summary]));
  return {
    runIds,
    rows: keys.map((key) => ({ key, cells: runIds.map((runId) => byCell.get(`${runId} ${key}`) ?? null) })),
  };
}

export interface EnvironmentChoice {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly identity: string;
}

/** Every environment a chosen run trained in, in the order of runs and rounds. */
export function environmentChoices(comparison: Comparison): readonly EnvironmentChoice[] {
  const names = runLabels(comparison.runs);
  return comparison.environments.map(({ runId, round, text, identity }) => ({
    id: `${runId}/${round}`,
    label: `${names.get(runId) ?? runId}, round ${round + 1}`,
    text,
    identity,
  }));
}

/** The pair to show first: the first environment, and the last one that differs from it. */
export function firstPair(
  choices: readonly EnvironmentChoice[],
): readonly [EnvironmentChoice, EnvironmentChoice] | null {
  const [first] = choices;
  if (!first) return null;
  return [first, choices.findLast((choice) => choice.identity !== first.identity) ?? choices.at(-1) ?? first];
}
