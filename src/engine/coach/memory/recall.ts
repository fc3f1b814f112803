import { standardError } from '../measured.ts';
import { oneLine } from '../one-line.ts';
import { type ExperienceEntry, hasHelped } from './experience.ts';
import { type Situation, similarityOf } from './situation.ts';

/** An entry and how alike the situation was, 0..1. */
export interface Neighbour {
  readonly entry: ExperienceEntry;
  readonly similarity: number;
}

/** A change as it was proposed before, with what its trials let expect of it. */
export interface RememberedChange {
  readonly changes: ExperienceEntry['changes'];
  readonly replaced: ExperienceEntry['replaced'];
  /** Of the entry that is most alike and helped. */
  readonly similarity: number;
  /** Expected gain on the objective, in its unit; positive is better. */
  readonly gain: number;
  /** All trials of this change, most similar first. */
  readonly neighbours: readonly Neighbour[];
}

/** Entries from the most similar situation on; of equal ones the order stays, newest first. */
export function nearestEntries(entries: readonly ExperienceEntry[], situation: Situation): Neighbour[] {
  return bySimilarity(
    entries.map((entry) => ({ entry, similarity: similarityOf(entry.situation, situation) })),
  );
}

/** From the most similar on. */
export function bySimilarity(neighbours: readonly Neighbour[]): Neighbour[] {
  return neighbours.toSorted((a, b) => b.similarity - a.similarity);
}

/**
 * What has the same meaning everywhere: scenario and version, and what is to be improved, measured in the same environment against the
 * same players. Where an entry does not say in which, it is comparable with nothing.
 */
export function isComparable(
  { scenario, objective }: ExperienceEntry,
  here: Pick<ExperienceEntry, 'scenario' | 'objective'>,
): boolean {
  return (
    scenario.name === here.scenario.name &&
    scenario.version === here.scenario.version &&
    objective.metric === here.objective.metric &&
    objective.group === here.objective.group &&
    objective.better === here.objective.better &&
    objective.measuredIn !== null &&
    objective.measuredIn === here.objective.measuredIn
  );
}

/**
 * Changes that may be proposed again, the best first. One counts only where it has helped (its whole interval on the better
 * side, not taken back) in a situation at least as similar as `reuse`. What to expect of it is the mean of all that was
 * measured of it, losses too, weighted by similarity; each figure is shrunk first, the more the wider its interval is. Nothing that
 * training broke down in, in a situation so similar, is offered.
 *
 * Requires: neighbours that are comparable, most similar first.
 */
export function rememberedChanges(neighbours: readonly Neighbour[], reuse: number): RememberedChange[] {
  const spread = priorVariance(neighbours.map(({ entry }) => entry));
  const groups = new Map<string, Neighbour[]>();
  for (const neighbour of neighbours) {
    if (neighbour.entry.measured === null && !neighbour.entry.brokeDown) continue;
    const key = changeKey(neighbour.entry);
    groups.set(key, [...(groups.get(key) ?? []), neighbour]);
  }
  return [...groups.values()]
    .flatMap((group): RememberedChange[] => {
      const best = group.find(({ entry }) => hasHelped(entry));
      if (best === undefined || best.similarity < reuse) return [];
      if (group.some(({ entry, similarity }) => entry.brokeDown && similarity >= reuse)) return [];
      const { changes, replaced } = best.entry;
      const gain = expectedGain(group, spread);
      return gain > 0 ? [{ changes, replaced, similarity: best.similarity, gain, neighbours: group }] : [];
    })
    .toSorted((a, b) => b.similarity * b.gain - a.similarity * a.gain);
}

/** What a change says, without layout and prose. */
export function changeKey({ changes, replaced }: Pick<ExperienceEntry, 'changes' | 'replaced'>): string {
  return JSON.stringify(
    changes.map(({ op, target, edl }, i) => [op, oneLine(target), oneLine(edl), replaced[i] ?? null]),
  );
}

function expectedGain(group: readonly Neighbour[], spread: number): number {
  let sum = 0;
  let weights = 0;
  for (const { entry, similarity } of group) {
    sum += similarity * shrunkenGain(entry, spread);
    weights += similarity;
  }
  return weights === 0 ? 0 : sum / weights;
}

/**
 * The measured gain as an estimate: true gains are taken to lie around zero with variance `spread`, so that a figure with
 * standard error s is believed by spread / (spread + s²).
 */
export function shrunkenGain(entry: ExperienceEntry, spread: number): number {
  if (entry.measured === null || spread === 0) return 0;
  return gainOf(entry) * (spread / (spread + standardError(entry.measured) ** 2));
}

/** Variance of true gains: what the measured ones scatter by beyond their errors (method of moments), at least a tenth of it. */
export function priorVariance(entries: readonly ExperienceEntry[]): number {
  let count = 0;
  let total = 0;
  let noise = 0;
  for (const entry of entries) {
    const error = entry.measured === null ? Number.POSITIVE_INFINITY : standardError(entry.measured);
    if (!Number.isFinite(error)) continue;
    count++;
    total += gainOf(entry) ** 2;
    noise += error ** 2;
  }
  return count === 0 ? 0 : Math.max(total / 10, total - noise) / count;
}

/** Measured difference with the sign by which more is better; 0 where nothing was measured. */
export function gainOf({ measured, objective }: Pick<ExperienceEntry, 'measured' | 'objective'>): number {
  if (measured === null) return 0;
  return objective.better === 'higher' ? measured.meanDifference : -measured.meanDifference;
}
