import { type ExperienceEntry, hasHelped } from '../memory/experience.ts';
import { objectiveHere } from '../memory/measured-in.ts';
import { changeKey, isComparable, nearestEntries } from '../memory/recall.ts';
import { situationOf } from '../memory/situation.ts';
import { titleOf } from '../snapshot/detect-issues.ts';
import { shortNumber } from '../snapshot/short-number.ts';
import { type Snapshot, snapshotSchema } from '../snapshot/snapshot-schema.ts';
import type { CoachStore, RoundContext } from '../types.ts';
import type { PromptMode } from './variables.ts';

type Here = Pick<RoundContext, 'studyId' | 'runId' | 'experience' | 'config' | 'environment' | 'objective'>;

type Texts = Pick<CoachStore['texts'], 'get' | 'has'>;

/** Problems named of an example; more would be another snapshot. */
const maxProblems = 3;

/**
 * Edits of other studies as examples, one line each: those that a person or the rule took over as they were proposed and that
 * measurably helped towards the same objective in the same version of the scenario. The most similar situation first, of equal ones the newest; no edit
 * twice; at most `memory.examples`. Nothing of the study itself, so that its arms and seeds stay apart.
 */
export function tellExamples(
  context: Here,
  snapshot: Snapshot,
  store: Pick<CoachStore, 'runs'> & { readonly texts: Texts },
  mode: PromptMode,
): string {
  const { studyId, experience, config, environment } = context;
  const count = config.memory?.examples ?? 0;
  if (count === 0) return '';
  const { name, version } = environment.manifest;
  const here = { scenario: { name, version }, objective: objectiveHere(store, context) };
  const fitting = experience.entries.filter(
    (entry) =>
      entry.source.study !== studyId &&
      entry.label === 'accepted' &&
      hasHelped(entry) &&
      isComparable(entry, here),
  );
  const chosen = new Map<string, ExperienceEntry>();
  for (const { entry } of nearestEntries(fitting, situationOf(snapshot))) {
    if (chosen.size === count) break;
    const key = changeKey(entry);
    if (!chosen.has(key)) chosen.set(key, entry);
  }
  return [...chosen.values()].map((entry) => tell(entry, store.texts, mode)).join('\n');
}

function tell(entry: ExperienceEntry, texts: Texts, mode: PromptMode): string {
  const { changes, objective, measured } = entry;
  const what =
    mode === 'rank'
      ? changes.map(({ op, target }) => `${op} ${target}`).join(' and ')
      : JSON.stringify(changes.map(({ op, target, edl }) => ({ op, target, edl })));
  const effect = measured === null ? '' : `: ${objective.metric} ${describeGain(measured)}`;
  return `- ${describeProblems(entry, texts)}${what}${effect}`;
}

function describeGain({ meanDifference, low, high }: NonNullable<ExperienceEntry['measured']>): string {
  const sign = meanDifference > 0 ? '+' : '';
  return `${sign}${shortNumber(meanDifference)} [${shortNumber(low)}, ${shortNumber(high)}]`;
}

/** Issues that fired in the example's situation; nothing where its snapshot cannot be read. */
function describeProblems({ snapshotHash }: ExperienceEntry, texts: Texts): string {
  if (!texts.has(snapshotHash)) return '';
  const { success, data } = snapshotSchema.safeParse(JSON.parse(texts.get(snapshotHash)));
  const titles = success ? data.issues.filter(({ isFiring }) => isFiring).map(titleOf) : [];
  return titles.length === 0 ? '' : `with ${titles.slice(0, maxProblems).join(', ')}: `;
}
