import type { MemoryEntry } from '../../../shared/contract/coach-memory.ts';
import type { StudyView } from '../../../shared/contract/runs.ts';
import { intervalLabel } from '../../../shared/std/statistics.ts';
import type { Tone } from '../../components/feedback.tsx';
import { formatDifference, formatQuantity } from '../../components/format.ts';
import { studyLabel } from '../../state/study-label.ts';

/** "+0.87, range +0.38 to +1.27 of 2 pairs": what was measured of a change. */
export function effectWords({ measured, brokeDown }: Pick<MemoryEntry, 'measured' | 'brokeDown'>): string {
  if (measured === null) return brokeDown ? 'training broke down' : 'not tried';
  const { meanDifference, low, high, numPairs } = measured;
  if (numPairs === 1) return `${formatDifference(meanDifference)} in one pair`;
  const interval = intervalLabel(numPairs) === 'range' ? 'range' : '95 %';
  return `${formatDifference(meanDifference)}, ${interval} ${formatDifference(low)} to ${formatDifference(high)} of ${formatQuantity(numPairs, 'pair')}`;
}

interface Verdict {
  readonly label: string;
  readonly tone: Tone;
}

/** Why it is, or is not, proposed again; none where nothing is known. A study goes on using what was forgotten after it began. */
export function verdictWords(entry: MemoryEntry, isFrozen: boolean): Verdict[] {
  if (entry.isForgotten && !isFrozen) return [{ label: 'forgotten', tone: 'neutral' }];
  const verdict = trialWords(entry);
  return [
    ...(verdict === null ? [] : [verdict]),
    ...(entry.isForgotten ? [{ label: 'forgotten since', tone: 'neutral' } as const] : []),
  ];
}

function trialWords(entry: MemoryEntry): Verdict | null {
  if (entry.isRolledBack) return { label: 'rolled back', tone: 'warning' };
  if (entry.label === 'edited') return { label: 'edited by a person', tone: 'neutral' };
  if (entry.hasHelped) return { label: 'helped', tone: 'good' };
  if (entry.measured === null) return null;
  return { label: entry.wasDecided ? 'did not help' : 'not shown to help', tone: 'neutral' };
}

/** "after round 2; uncovered fired": where a run stood when the change was proposed. */
export function situationWords({ situation: { round, issues } }: Pick<MemoryEntry, 'situation'>): string {
  const trouble = issues.length === 0 ? 'no issue fired' : `${issues.join(', ')} fired`;
  return `after round ${round + 1}; ${trouble}`;
}

/** A memory as it was frozen, and the runs that use it. */
export interface FrozenMemory {
  readonly hash: string;
  /** "quickstart · 2d7c · 08:32: coached, 5 runs", by study. */
  readonly uses: readonly string[];
}

/** Memories that runs use, of the newest study first. One that froze the same as another shares its hash. */
export function frozenMemories(studies: readonly StudyView[]): readonly FrozenMemory[] {
  const uses = new Map<string, string[]>();
  for (const study of studies) {
    for (const hash of new Set(study.runs.flatMap(({ experience }) => experience ?? []))) {
      const runs = study.runs.filter(({ experience }) => experience === hash);
      const arms = [...new Set(runs.map(({ arm }) => arm))].join(', ');
      const use = `${studyLabel(study)}: ${arms}, ${formatQuantity(runs.length, 'run')}`;
      uses.set(hash, [...(uses.get(hash) ?? []), use]);
    }
  }
  return [...uses].map(([hash, ofStudies]) => ({ hash, uses: ofStudies }));
}
