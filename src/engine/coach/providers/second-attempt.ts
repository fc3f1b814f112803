import { AppError } from '../../../shared/std/app-error.ts';
import type { EnumeratedEdit } from '../enumerate/enumerate-edits.ts';
import type { AnswerSlot, ProviderAnswer } from './provider.ts';

/** Edits that a second attempt tries at most: each costs what a validation does. */
export const maxTried = 8;

/** Said of an answer that was not the first choice, in its analysis. */
export const secondChoice = 'The first choice was refused; this is the next in line that passes.';

/**
 * The answer of a second attempt: the first of the edits, in their order, that may be answered and passes the validator.
 *
 * Throws: coach.noProposal where none of those that are tried does.
 */
export async function firstPassing(
  edits: Iterable<EnumeratedEdit> | AsyncIterable<EnumeratedEdit>,
  slot: Pick<AnswerSlot, 'closed' | 'passes'>,
  compose: (edit: EnumeratedEdit) => ProviderAnswer,
): Promise<ProviderAnswer> {
  let tried = 0;
  for await (const edit of edits) {
    if (slot.closed.has(edit.identity)) continue;
    if (tried === maxTried) break;
    tried++;
    const answer = compose(edit);
    if (await slot.passes(answer)) return answer;
  }
  throw new AppError(
    'coach.noProposal',
    `the first choice was refused, and none of the ${tried} edits next in line passes the validator either`,
  );
}
