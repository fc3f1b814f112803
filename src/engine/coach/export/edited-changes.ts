import type { EdlChange } from '../../edl/types.ts';
import type { CoachEdl } from '../types.ts';

/**
 * The declarations in which a person's text differs from the one that held, as changes in the order remove, modify, add;
 * null where changes to declarations do not lead from one to the other (another scenario, another name of the environment).
 */
export function editedChanges(
  edl: Pick<CoachEdl, 'compile' | 'applyChanges'>,
  before: string,
  after: string,
): EdlChange[] | null {
  const [from, to] = [edl.compile(before).environment, edl.compile(after).environment];
  if (from === null || to === null) return null;
  const old = new Map(from.declarations.map(({ target, text }) => [target, text]));
  const kept = new Set(to.declarations.map(({ target }) => target));
  const changes: EdlChange[] = [
    ...from.declarations
      .filter(({ target }) => !kept.has(target))
      .map(({ target }) => ({ op: 'remove' as const, target, edl: '' })),
    ...to.declarations
      .filter(({ target, text }) => old.has(target) && old.get(target) !== text)
      .map(({ target, text }) => ({ op: 'modify' as const, target, edl: text })),
    ...to.declarations
      .filter(({ target }) => !old.has(target))
      .map(({ target, text }) => ({ op: 'add' as const, target, edl: text })),
  ];
  if (changes.length === 0) return null;
  const result = edl.applyChanges(before, changes);
  return 'refused' in result || result.environment.identity !== to.identity ? null : changes;
}
