import type { ReportView } from '../../../shared/contract/report.ts';

const numColors = 8;

/** The colour of an arm, 1 to 8: its place in the study, as in charts. */
export function colorOf({ arms }: Pick<ReportView, 'arms'>, arm: string): number {
  return (
    (Math.max(
      0,
      arms.findIndex(({ name }) => name === arm),
    ) %
      numColors) +
    1
  );
}
