import { shortNumber } from './short-number.ts';
import type { Snapshot, SnapshotCheckpoint } from './snapshot-schema.ts';

/** A success rate below which hardly any episode shows what is wanted. */
const rareSuccess = 0.02;

/** A share above which one component outweighs all others together. */
const dominantShare = 0.5;

/** Range of a component's means, as a part of the largest of them, below which it tells the agents nothing new. */
const flatRange = 0.01;

/** Checkpoints that a component has to have before it is called flat. */
const minCheckpoints = 3;

/**
 * What a reader should not have to work out from the figures, as plain statements of them: success that is next to never, a
 * component that stays as it is or outweighs the others, starts that are sometimes solved, changes that were proposed again and
 * again. No advice. A pure function of the snapshot.
 */
export function stateFindings(snapshot: Snapshot): string[] {
  return [
    ...stateSuccess(snapshot),
    ...snapshot.components.flatMap(({ name, checkpoints }) => stateFlat(name, checkpoints)),
    ...stateDominant(snapshot),
    ...stateLearnability(snapshot),
    ...stateRepeats(snapshot),
  ];
}

function stateSuccess({ metrics }: Snapshot): string[] {
  const last = metrics.find(({ name }) => name === 'success')?.checkpoints.at(-1);
  if (last === undefined || last.mean >= rareSuccess) return [];
  return [`success is ${shortNumber(last.mean)}: next to no episode succeeds`];
}

function stateFlat(name: string, checkpoints: readonly SnapshotCheckpoint[]): string[] {
  if (checkpoints.length < minCheckpoints) return [];
  const means = checkpoints.map(({ mean }) => mean);
  const size = Math.max(...means.map(Math.abs));
  if (size === 0) return [`${name} is 0 in all ${means.length} checkpoints`];
  const range = Math.max(...means) - Math.min(...means);
  if (range > flatRange * size) return [];
  return [`${name} stays at ${shortNumber(means.at(-1) ?? 0)} over ${means.length} checkpoints`];
}

function stateDominant({ components }: Snapshot): string[] {
  if (components.length < 2) return [];
  return components
    .filter(({ share }) => share > dominantShare)
    .map(
      ({ name, kind, share }) =>
        `${name} (${kind}) is ${Math.round(share * 100)} % of what the agents are paid`,
    );
}

function stateLearnability({ learnability }: Snapshot): string[] {
  if (learnability === null) return [];
  const { episodes, evaluations, always, sometimes, never } = learnability;
  return [
    `of ${episodes} fixed starts ${sometimes} were sometimes solved in the last ${evaluations} evaluations, ${always} always, ` +
      `${never} never`,
  ];
}

function stateRepeats({ past }: Snapshot): string[] {
  const counts = new Map<string, number>();
  for (const { changes } of past) {
    const key = changes.map(({ op, target }) => `${op} ${target}`).join(' and ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([key, count]) => key !== '' && count > 1)
    .map(([key, count]) => `"${key}" was proposed ${count} times`);
}
