import { z } from 'zod';
import type { ProposalView } from '../../shared/contract/coach.ts';

/** Why there is no answer, as the pipeline keeps it in the details of a proposal. */
const withFailure = z.object({ failure: z.object({ code: z.string(), message: z.string() }).nullable() });

/** How coaches said that they had nothing to propose while they had only input.notFound for it. */
const saidNothing =
  /^(no rule of the rule coach applies|there are only \d+ valid edits|there is no valid edit|the first choice was refused)/;

/**
 * Why a proposal has no answer, read from its details; null where it has one and where nobody knows. Older records are told
 * with the codes of today.
 */
export function readFailure(details: unknown): ProposalView['failure'] {
  const failure = withFailure.safeParse(details).data?.failure ?? null;
  if (failure?.code !== 'input.notFound' || !saidNothing.test(failure.message)) return failure;
  return { ...failure, code: 'coach.noProposal' };
}
