import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { compile } from '../compile.ts';
import { targetOf } from '../declarations/registry.ts';
import { LineIndex } from '../line-index.ts';
import { parseText } from '../parse.ts';
import type { ChangeResult, EdlChange, EdlHost } from '../types.ts';
import { refuse, textStart } from './refusal.ts';
import type { Target } from './target.ts';

type Refused = Extract<ChangeResult, { refused: Diagnostic }>;

/** Changes that say two things about one declaration have no order to be decided by. */
export function refuseConflicts(targets: readonly Target[]): Refused | null {
  const seen = new Set<string>();
  for (const [change, { target }] of targets.entries()) {
    if (seen.has(target)) {
      const message = `two changes of '${target}': one of them would be lost`;
      return { ...refuse('EDL608', textStart, message), change };
    }
    seen.add(target);
  }
  return null;
}

/** Changes that went well one by one, and left a text with errors. */
export interface BrokenChanges {
  /** The text after each change. */
  readonly steps: readonly string[];
  readonly targets: readonly Target[];
  readonly changes: readonly EdlChange[];
  isBroken(text: string): boolean;
  /** What is wrong where all changes are made but one; null where that cannot be. */
  errorsWithout(change: number): readonly PlacedError[] | null;
}

/** An error with the declaration that it lies in. */
export interface PlacedError {
  readonly target: string | null;
  readonly message: string;
}

export function errorsIn(text: string, host: EdlHost, path: string | undefined): PlacedError[] {
  return compile(text, host, path)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map((error) => ({ target: targetAt(text, error), message: error.message }));
}

/**
 * Why a changed text has errors: one change took away what another needs, or the change itself is at fault. Where the
 * error lies in no declaration that was changed, that is the first one after which there are errors.
 */
export function explainBroken(
  { steps, targets, changes, isBroken, errorsWithout }: BrokenChanges,
  diagnostics: readonly Diagnostic[],
): Refused {
  const text = steps.at(-1) ?? '';
  const error = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  if (error === undefined)
    return { ...refuse('EDL605', textStart, 'the changed text does not compile'), change: 0 };
  const broken = targetAt(text, error);
  const own = targets.findIndex(({ target }) => target === broken);
  const culprit = changes.findIndex(({ op }, i) => {
    const others = op === 'remove' && broken !== null ? errorsWithout(i) : null;
    return others?.every(({ target, message }) => target !== broken || message !== error.message) === true;
  });
  if (culprit >= 0) {
    const removed = targets[culprit]?.target ?? '';
    const message = `'${broken}' needs '${removed}', which would be removed: ${error.message} (${error.code})`;
    return { ...refuse('EDL609', error.range, message), change: culprit };
  }
  const message = `${error.message} (${error.code})`;
  const change = own >= 0 || changes.length === 1 ? own : steps.findIndex(isBroken);
  return { ...refuse('EDL605', error.range, message, error.suggestions), change: Math.max(0, change) };
}

/** What changes call the declaration that a problem lies in; null: it lies in none. */
function targetAt(text: string, { range }: Diagnostic): string | null {
  const offset = new LineIndex(text).offset(range.start);
  const found = parseText(text).ast?.declarations.find(({ $cstNode: place }) => {
    return place !== undefined && place.offset <= offset && offset < place.end;
  });
  return found === undefined ? null : targetOf(found);
}
