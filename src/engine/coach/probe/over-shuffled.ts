import { isDeepStrictEqual } from 'node:util';
import type { ProbeFigures, ProbeRecord, ProbeView } from '../../../shared/contract/coach-probe.ts';
import { minus, scoresOf, summarize } from './probe-figures.ts';

/**
 * A result beside that of the same chooser with the other order of the snapshots, if there is one: whether it reads them. Both
 * answered about the same defects, so differences are taken defect by defect.
 */
export function besideShuffled(probe: ProbeRecord, all: readonly ProbeRecord[]): ProbeView {
  const other = all.find(
    (each) => each.isShuffled !== probe.isShuffled && isDeepStrictEqual(chooserOf(each), chooserOf(probe)),
  );
  if (other === undefined) return { ...probe, overShuffled: null };
  const [own, shuffled] = probe.isShuffled ? [other, probe] : [probe, other];
  return { ...probe, overShuffled: overShuffled(own, shuffled) };
}

/** Who chose, as it was loaded and asked, and among what. */
function chooserOf({ provider, modelHash, promptHash, setup, defects }: ProbeRecord): unknown {
  return { provider, modelHash, promptHash, setup, defects };
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
