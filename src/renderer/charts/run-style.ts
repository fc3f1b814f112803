import type { RunView } from '../../shared/contract/runs.ts';
import { runLabels } from '../state/run-labels.ts';

/** How a run is drawn: a colour of the theme's palette and a dash pattern. */
export interface RunStyle {
  readonly runId: string;
  readonly label: string;
  /** 1 to 8, the theme's `--series-n`. */
  readonly colorIndex: number;
  readonly dash: readonly number[];
  /** The run's budget: where its curve will end. */
  readonly totalSteps: number;
}

const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [1, 4]];
const numColors = 8;

/**
 * Styles for runs shown together: arms differ by colour and seeds of an arm by dash; when all runs are of
 * one arm, each gets a colour of its own.
 */
export function styleRuns(runs: readonly RunView[]): readonly RunStyle[] {
  const arms = [...new Set(runs.map((run) => `${run.studyId}/${run.arm}`))];
  const isOneArm = arms.length === 1;
  const labels = runLabels(runs);
  const seen = new Map<string, number>();
  return runs.map((run, index) => {
    const arm = `${run.studyId}/${run.arm}`;
    const ordinal = seen.get(arm) ?? 0;
    seen.set(arm, ordinal + 1);
    return {
      runId: run.runId,
      label: labels.get(run.runId) ?? run.runId,
      colorIndex: ((isOneArm ? index : arms.indexOf(arm)) % numColors) + 1,
      dash: isOneArm ? [] : (dashes[ordinal % dashes.length] ?? []),
      totalSteps: run.totalSteps,
    };
  });
}
