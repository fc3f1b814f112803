import { setImmediate } from 'node:timers/promises';
import { leadsTo } from '../leads-to.ts';
import type { CoachEdl } from '../types.ts';
import type { FutileEdits } from '../validate/futile-edits.ts';
import { changesOf, type DraftContext, type DraftEdit } from './draft.ts';
import { draftEdits } from './draft-edits.ts';

/** An edit that compiles and leads somewhere new. */
export interface EnumeratedEdit extends DraftEdit {
  /** Environment text with the edit applied. */
  readonly text: string;
  /** As `leadsTo` tells changes apart. */
  readonly identity: string;
}

export interface EnumerationOptions extends DraftContext {
  readonly text: string;
  /** Identities that were current or rejected before: they are not offered again. */
  readonly excluded: ReadonlySet<string>;
  /** Says of an edit that it comes to nothing: it is not offered. Left out: nobody looks. */
  readonly isFutile?: FutileEdits;
}

/**
 * All valid single edits of an environment: the space that `random` draws from, that small models choose from, and
 * that rules pick from. Each compiles, differs from the current environment and from every excluded one, and leads
 * to an environment no earlier one leads to.
 *
 * Cost: one compilation per draft, about a hundred of a few milliseconds each, and what `isFutile` takes. Between two of them other work of the
 * thread gets its turn.
 * Throws: the signal's reason when it is aborted.
 */
export async function enumerateEdits(
  edl: CoachEdl,
  options: EnumerationOptions,
  signal?: AbortSignal,
): Promise<EnumeratedEdit[]> {
  const seen = new Set([...options.excluded, options.environment.identity]);
  const edits: EnumeratedEdit[] = [];
  for (const draft of draftEdits(options)) {
    await setImmediate();
    signal?.throwIfAborted();
    const applied = edl.applyChanges(options.text, changesOf(draft));
    if ('refused' in applied) continue;
    const identity = leadsTo(applied.environment, options.environment);
    if (seen.has(identity)) continue;
    seen.add(identity);
    if (options.isFutile?.(applied.environment, changesOf(draft)) === true) continue;
    edits.push({ ...draft, text: applied.text, identity });
  }
  return edits;
}
