import { oneLine } from '../one-line.ts';
import { trendOf } from '../snapshot/checkpoints.ts';
import type { Snapshot, SnapshotCheckpoint } from '../snapshot/snapshot-schema.ts';

/**
 * Where a run stands, as weighted terms: words for what is there, levels for how large it is. Terms of one family begin
 * alike; every family has unit length, so that the similarity of two situations is the weighted mean of how alike they are
 * in each.
 */
export type Situation = Readonly<Record<string, number>>;

type Terms = [term: string, weight: number][];

/** Families and what they count for. What is wrong, and what agents are paid for, says most about what may help. */
const familyWeights = {
  issue: 3,
  declares: 3,
  reward: 3,
  metric: 2,
  objective: 1,
  policy: 1,
  progress: 0.5,
  word: 0.5,
} as const;

type Family = keyof typeof familyWeights;

/** Decimals of a weight: a situation is kept as text. */
const decimals = 5;

/** A pure function of the snapshot; the run's and study's names do not enter. */
export function situationOf(snapshot: Snapshot): Situation {
  const families: Readonly<Record<Family, Terms>> = {
    issue: snapshot.issues
      .filter(({ isFiring }) => isFiring)
      .flatMap(({ name, subject, evidence }) => [
        [name, 1],
        ...(subject === null ? [] : [[`${name} of ${subject}`, 0.5] as [string, number]]),
        ...Object.keys(evidence).map((metric): [string, number] => [`of ${metric}`, 0.5]),
      ]),
    declares: snapshot.declarations.flatMap(({ kind, name, text, fireRate }) => [
      [`${kind} ${name}`, 1],
      // As it is written: another weight is another situation, though not quite.
      [oneLine(text), 0.5],
      ...(fireRate === null ? [] : between(`${kind} ${name} fires`, 4 * Math.sqrt(fireRate), 0.5)),
    ]),
    reward: snapshot.components.flatMap(({ name, share, checkpoints }) => [
      ...between(`${name} share`, 5 * share, 1),
      ...trendTerms(name, checkpoints, 0.5),
      [`${name} ${signOf(checkpoints.at(-1)?.mean ?? 0)}`, 0.5],
    ]),
    metric: snapshot.metrics.flatMap(({ name, checkpoints }) => [
      ...magnitudeOf(name, checkpoints.at(-1)?.mean),
      ...trendTerms(name, checkpoints, 0.5),
    ]),
    objective: [
      ...magnitudeOf(snapshot.objective.metric, snapshot.objective.current),
      ...trendTerms(snapshot.objective.metric, snapshot.objective.checkpoints, 1),
    ],
    policy: snapshot.policies.flatMap(({ group, statistics }) =>
      ['entropy', 'explained_variance'].flatMap((key) => magnitudeOf(`${group} ${key}`, statistics[key])),
    ),
    progress: between('spent', (4 * snapshot.progress.chargedSteps) / snapshot.progress.budgetSteps, 1),
    word: wordsOf(`${snapshot.mission} ${snapshot.objective.words}`).map((word) => [word, 1]),
  };
  const situation: Record<string, number> = {};
  for (const [family, terms] of Object.entries(families)) {
    for (const [term, weight] of normalized(family as Family, terms)) situation[term] = weight;
  }
  return situation;
}

/** Names of the issues that fired in a situation, with whom they are about: "uncovered", "lone_wolf of red_1". */
export function issuesOf(situation: Situation): string[] {
  const terms = Object.keys(situation).flatMap((term) => /^issue (?!of )(.+)$/.exec(term)?.slice(1, 2) ?? []);
  return terms.filter((term) => term !== 'none' && !terms.some((other) => other.startsWith(`${term} of `)));
}

/** Cosine of two situations, 0 (nothing in common) to 1. */
export function similarityOf(a: Situation, b: Situation): number {
  let dot = 0;
  for (const [term, weight] of Object.entries(a)) dot += weight * (b[term] ?? 0);
  const norms = Math.sqrt(squareOf(a) * squareOf(b));
  return norms === 0 ? 0 : Math.min(1, Math.max(0, dot / norms));
}

function squareOf(situation: Situation): number {
  return Object.values(situation).reduce((sum, weight) => sum + weight ** 2, 0);
}

/** A family without terms says so by one: having no issue is something to have in common. */
function normalized(family: Family, terms: Terms): Terms {
  const merged = new Map<string, number>();
  for (const [term, weight] of terms.length === 0 ? ([['none', 1]] as Terms) : terms)
    merged.set(term, (merged.get(term) ?? 0) + weight);
  const length = Math.sqrt([...merged.values()].reduce((sum, weight) => sum + weight ** 2, 0));
  const scale = Math.sqrt(familyWeights[family]) / length;
  return [...merged].map(([term, weight]) => [
    `${family} ${term}`,
    Number((weight * scale).toFixed(decimals)),
  ]);
}

/** A figure between two whole levels belongs to both, to the nearer one more: close figures are alike across a boundary. */
function between(name: string, level: number, weight: number): Terms {
  if (!Number.isFinite(level)) return [];
  const low = Math.floor(level);
  const part = level - low;
  const terms: Terms = [[`${name} level ${low}`, weight * (1 - part)]];
  if (part > 0) terms.push([`${name} level ${low + 1}`, weight * part]);
  return terms;
}

/** Levels of a figure of unknown scale: halvings and doublings, by sign. */
function magnitudeOf(name: string, value: number | undefined): Terms {
  if (value === undefined || !Number.isFinite(value)) return [];
  const size = Math.abs(value);
  // What is far below any figure of interest is nothing.
  if (size < 1e-6) return [[`${name} zero`, 1]];
  return between(`${name} ${signOf(value)}`, Math.log2(size), 1);
}

function signOf(value: number): string {
  if (value === 0) return 'zero';
  return value > 0 ? 'positive' : 'negative';
}

function trendTerms(name: string, checkpoints: readonly SnapshotCheckpoint[], weight: number): Terms {
  const trend = trendOf(checkpoints.map(({ mean }) => mean));
  return between(`${name} trend`, trend, weight);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
}
