import { z } from 'zod';
import type { ProposalView, ValidationReason } from './coach.ts';
import { hasNothingToPropose } from './proposal-outcome.ts';

/** The most frequent reason for which no answer of a coach could be used, and how often it came. */
export const unusable = z.object({ count: z.int(), code: z.string(), message: z.string() });
export type Unusable = z.infer<typeof unusable>;

/** What of an answer says whether it could be used. */
export type AnswerOutcome = Pick<ProposalView, 'state' | 'failure'> & {
  readonly validation: {
    readonly isValid: boolean;
    readonly reasons: readonly Pick<ValidationReason, 'code' | 'severity' | 'message'>[];
  } | null;
};

/**
 * Why none of the answers was usable; null where one was, where one is still awaited, and where nobody failed. A coach that has
 * nothing to propose has not.
 */
export function findUnusable(answers: readonly AnswerOutcome[]): Unusable | null {
  if (answers.some(({ state, validation }) => state === 'asked' || validation?.isValid === true)) return null;
  const found = new Map<string, Unusable>();
  for (const answer of answers) {
    const cause = causeOf(answer);
    if (cause === null) continue;
    const { code, message } = found.get(cause.code) ?? cause;
    found.set(code, { code, message, count: (found.get(code)?.count ?? 0) + 1 });
  }
  const [most] = [...found.values()].sort((a, b) => b.count - a.count);
  return most ?? null;
}

function causeOf(answer: AnswerOutcome): Pick<Unusable, 'code' | 'message'> | null {
  const { failure, validation } = answer;
  if (failure !== null) return hasNothingToPropose({ failure }) ? null : failure;
  return validation?.reasons.find(({ severity }) => severity === 'error') ?? null;
}

/** The same in one line. */
export function describeUnusable(whose: string, { count, code, message }: Unusable): string {
  const what = message.replaceAll(/\s+/g, ' ').trim().replace(/[.:]$/, '');
  return `No answer of ${whose} was usable; most often (${count}×): ${what} (${code}).`;
}

/** Of all rows of a report's funnel, a line for each that came to nothing. */
export function describeRowsUnusable(
  rows: readonly {
    readonly arm: string;
    readonly provider: string;
    readonly unusable?: Unusable | undefined;
  }[],
): string[] {
  return rows.flatMap(({ arm, provider, unusable: found }) =>
    found === undefined ? [] : [describeUnusable(`${arm}'s coach (${provider})`, found)],
  );
}
