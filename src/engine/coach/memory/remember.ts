import { leadsTo } from '../leads-to.ts';
import { oneLine } from '../one-line.ts';
import { openModel } from '../providers/open-model.ts';
import type { ProviderAnswer, ProviderRequest } from '../providers/provider.ts';
import type { CoachDependencies, RoundContext } from '../types.ts';
import { applyChanges } from '../validate/validate-proposal.ts';
import { collectOwnPast } from './collect-experience.ts';
import { compareByModel, type EmbeddingModel } from './compare-by-model.ts';
import { type ExperienceEntry, hasHelped } from './experience.ts';
import { objectiveHere } from './measured-in.ts';
import {
  changeKey,
  isComparable,
  type Neighbour,
  nearestEntries,
  type RememberedChange,
  rememberedChanges,
} from './recall.ts';
import { situationOf } from './situation.ts';

/** Remembered changes that are looked at more closely at most: each costs what a validation does. */
const maxTried = 8;

/** A remembered change as an answer, and the environment that it leads to. */
export interface Reminder {
  readonly answer: ProviderAnswer;
  readonly identity: string;
}

/** What can be compared with a run as it stands: the frozen entries, and what it went through itself. */
function comparableEntries(
  { store }: Pick<CoachDependencies, 'store'>,
  context: RoundContext,
): ExperienceEntry[] {
  const { name, version } = context.environment.manifest;
  const here = { scenario: { name, version }, objective: objectiveHere(store, context) };
  const { runId, studyId, arm, seed, round, config } = context;
  const own = { ...here, run: { runId, studyId, arm, seed }, round, lag: config.lag };
  return [...collectOwnPast(store, own), ...context.experience.entries].filter((entry) =>
    isComparable(entry, here),
  );
}

/**
 * Changes that helped where a run stood much as this one does, as answers that need nobody to be asked; the best first. Each
 * replaces what it replaced then and applies to the text in force; whether it may be proposed is for the validator to say.
 *
 * Throws: model.*, modelHost.died where similarity is measured by a model.
 */
export async function findReminders(request: ProviderRequest): Promise<Reminder[]> {
  const { context, deps, snapshot } = request;
  const reuse = context.config.memory?.reuse ?? null;
  if (reuse === null) return [];
  const comparable = comparableEntries(deps, context);
  const byWords = nearestEntries(comparable, situationOf(snapshot));
  const model = byWords.length === 0 ? null : await openEmbeddingModel(request);
  const neighbours = model === null ? byWords : await compareByModel(request, byWords, model);
  const inVain = triedInVain(comparable, context);
  const reminders: Reminder[] = [];
  for (const remembered of rememberedChanges(neighbours, reuse)) {
    if (reminders.length === maxTried) break;
    if (inVain.has(changeKey(remembered)) || !replacesTheSame(remembered, context)) continue;
    const applied = applyChanges(deps.edl, context.text, remembered);
    if (applied.text === null) continue;
    reminders.push({
      answer: compose(remembered),
      identity: leadsTo(applied.environment, context.environment),
    });
  }
  return reminders;
}

/** Changes that the run itself has tried, none of which helped: who remembers better does not insist. */
function triedInVain(entries: readonly ExperienceEntry[], { runId }: RoundContext): ReadonlySet<string> {
  const own = entries.filter(
    ({ source, measured, brokeDown }) => source.run === runId && (measured !== null || brokeDown),
  );
  const helped = new Set(own.filter(hasHelped).map(changeKey));
  return new Set(own.map(changeKey).filter((key) => !helped.has(key)));
}

/** The coach's own model, where it has one and similarity is to be measured by it. */
async function openEmbeddingModel(request: ProviderRequest): Promise<EmbeddingModel | null> {
  const { provider, memory } = request.context.config;
  if (provider !== 'llama' || memory?.vectors !== 'auto') return null;
  const { identity, service } = await openModel(request);
  return { sha256: identity.sha256, service };
}

function replacesTheSame({ changes, replaced }: RememberedChange, { environment }: RoundContext): boolean {
  return changes.every(({ op, target }, i) => {
    if (op === 'add') return true;
    const found = environment.declarations.find((declaration) => declaration.target === target);
    return found !== undefined && oneLine(found.text) === replaced[i];
  });
}

function compose({ changes, neighbours, similarity, gain }: RememberedChange): ProviderAnswer {
  const body = { analysis: tell(neighbours, similarity, gain), changes, wishes: [] };
  return { raw: JSON.stringify(body), isComposed: true, enumerated: null };
}

function tell(neighbours: readonly Neighbour[], similarity: number, gain: number): string {
  const best = neighbours.find((neighbour) => neighbour.similarity === similarity)?.entry ?? null;
  const measured = best?.measured ?? null;
  const where =
    best === null || measured === null
      ? ''
      : ` Most alike (${similarity.toFixed(3)}): proposal ${best.source.proposal} of study ${best.source.study}, which ` +
        `changed ${best.objective.metric} by ${figure(measured.meanDifference)} (${figure(measured.low)} to ${figure(measured.high)}).`;
  const trials =
    neighbours.length === 1
      ? 'one trial of this change is'
      : `${neighbours.length} trials of this change are`;
  return `Remembered: ${trials} on record; a gain of ${figure(gain)} is to be expected.${where}`;
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
