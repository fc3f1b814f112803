import type { AblationView } from '../../shared/contract/ablation.ts';
import { intervalLabel } from '../../shared/std/statistics.ts';
import { formatFigure, formatInterval, formatTable } from './text-table.ts';

type Paired = AblationView['together'];

/** Fewest pairs that a sentence about a change rests on. */
const fewestForVerdict = 3;

/** What each change did, with its interval, and in a word whether it helped. */
export function formatAblation(view: AblationView): string {
  const { runId, objective, changes, together, finishedSeeds } = view;
  const isAlone = changes.some(({ alone }) => alone !== null);
  const rows = changes.map(({ index, label, round, contribution, alone, skipped }) => [
    String(index),
    label,
    round === null ? '–' : String(round + 1),
    pairedText(contribution),
    formatFigure(contribution?.probabilityOfImprovement, 2),
    ...(isAlone ? [pairedText(alone)] : []),
    skipped === null ? verdictOf(contribution, objective.better) : 'not apart',
  ]);
  const size = Math.min(...changes.flatMap(({ contribution }) => contribution?.numPairs ?? []));
  const headings = [
    'change',
    'what',
    'after round',
    `with all minus without it${Number.isFinite(size) ? ` [${intervalLabel(size)}]` : ''}`,
    'P(better)',
    ...(isAlone ? ['it alone minus none'] : []),
    'it',
  ];
  return [
    `Changes of ${runId}, retrained from the start: ${objective.metric} of ${objective.group}, ${objective.better} is better`,
    '',
    formatTable(headings, rows),
    '',
    `All together minus none: ${pairedText(together)}`,
    ...changes.flatMap(({ index, skipped }) =>
      skipped === null ? [] : [`Change ${index} cannot be left out alone: ${skipped}`],
    ),
    finishedSeeds.length === 0
      ? 'No seed has a result in every arm yet.'
      : `Seeds with a result in every arm: ${finishedSeeds.join(', ')}.`,
  ].join('\n');
}

const pairedText = (paired: Paired): string =>
  paired === null ? '–' : formatInterval(paired.difference, paired.low, paired.high, { signed: true });

function verdictOf(paired: Paired, better: 'higher' | 'lower'): string {
  if (paired === null || paired.numPairs < fewestForVerdict) return 'undecided';
  if (paired.low <= 0 && paired.high >= 0) return 'undecided';
  return paired.low > 0 === (better === 'higher') ? 'helped' : 'harmed';
}
