import { changesOf } from '../enumerate/draft.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import { createRandom, shuffledIndices } from '../seeded-random.ts';

/** Options of a defect, and how many of them at most change the declaration that is wrong. */
const numOptions = 20;
const numAtFault = 6;

/**
 * Some of the edits of an environment, in their order: part of those that change what is wrong, and others. All of them would be
 * too many to try. Seeds: the key.
 */
export function chooseOptions(edits: readonly EnumeratedEdit[], at: string, key: string): EnumeratedEdit[] {
  const order = shuffledIndices(createRandom('defect options', key), edits.length);
  const shuffled = order.flatMap((index) => edits[index] ?? []);
  const isAtFault = (edit: EnumeratedEdit): boolean => changesOf(edit).some(({ target }) => target === at);
  const atFault = shuffled.filter(isAtFault);
  // Taking it out is the plainest repair there is: it is always among them.
  const removals = atFault.filter(({ kind }) => kind === 'remove');
  const others = atFault.filter(({ kind }) => kind !== 'remove');
  const chosen = new Set([...removals, ...others].slice(0, numAtFault));
  for (const edit of shuffled) if (chosen.size < numOptions && !isAtFault(edit)) chosen.add(edit);
  return edits.filter((edit) => chosen.has(edit));
}
