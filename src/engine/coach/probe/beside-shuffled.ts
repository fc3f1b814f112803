import type { ProbeFigures, ProbeRecord, ProbeView } from '../../../shared/contract/coach-probe.ts';
import { minus, scoresOf, summarize } from './probe-figures.ts';
import { chooserOf } from './probe-results.ts';

/**
 * A result beside that of the same chooser with the other order of the snapshots, if there is one: whether it reads them. Both
 * answered about the same defects, so differences are taken defect by defect.
 */
export function besideShuffled(probe: ProbeRecord, all: readonly ProbeRecord[]): ProbeView {
  const isTwin = (each: ProbeRecord): boolean =>
    each.isShuffled !== probe.isShuffled &&
    each.defects === probe.defects &&
    chooserOf(each) === chooserOf(probe);
  const other = all.find(isTwin);
  if (other === undefined) return { ...probe, overShuffled: null };
  const [own, shuffled] = probe.isShuffled ? [other, probe] : [probe, other];
  return { ...probe, overShuffled: overShuffled(own, shuffled) };
}

function overShuffled(own: ProbeRecord, shuffled: ProbeRecord): ProbeFigures {
  const ranks = new Map(shuffled.answers.map(({ defect, rank }) => [defect, rank]));
  return summarize(
    own.answers.map(({ defect, scenario, rank }) => ({
      scenario,
      scores: minus(scoresOf(rank), scoresOf(ranks.get(defect) ?? null)),
    })),
  );
}
