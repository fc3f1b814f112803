import { z } from 'zod';
import { type ValidationReason, validationReason } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';

const refusalData = z.object({ reasons: z.array(validationReason) });

/** A text that was refused, and why. */
export interface RefusedText {
  readonly text: string;
  readonly reasons: readonly ValidationReason[];
}

/** Why recorded experience speaks against an edited text, of a decision that was refused for it; null of any other failure. */
export function refusalOf(thrown: unknown): readonly ValidationReason[] | null {
  if (!(thrown instanceof AppError) || thrown.code !== 'coach.refused') return null;
  return refusalData.safeParse(thrown.data).data?.reasons ?? null;
}

/** What speaks against a text; null where nothing was said, or it was said of another one. */
export function refusalFor(
  text: string | null,
  refused: RefusedText | null,
): readonly ValidationReason[] | null {
  return refused !== null && refused.text === text ? refused.reasons : null;
}
