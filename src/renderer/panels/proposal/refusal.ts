import { z } from 'zod';
import { type ValidationReason, validationReason } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';

const refusalData = z.object({ reasons: z.array(validationReason) });

/** Why recorded experience speaks against an edited text, of a decision that was refused for it; null of any other failure. */
export function refusalOf(thrown: unknown): readonly ValidationReason[] | null {
  if (!(thrown instanceof AppError) || thrown.code !== 'coach.refused') return null;
  return refusalData.safeParse(thrown.data).data?.reasons ?? null;
}
