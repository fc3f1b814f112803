import { z } from 'zod';
import { type ProposalBody, proposalBody } from '../../../shared/contract/coach.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { textLimits } from '../providers/answer-limits.ts';

const maxRawLength = 20_000;
const shownLength = 200;

// Line breaks and tabs are layout; other control characters have no business in EDL or prose.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/;

function badOutput(what: string, raw: string, cause?: unknown): AppError {
  const shown = raw.length > shownLength ? `${raw.slice(0, shownLength)}…` : raw;
  return new AppError(
    'coach.badOutput',
    `the coach's answer cannot be used: ${what}. It began: ${JSON.stringify(shown)}`,
    {
      cause,
      data: { what },
    },
  );
}

/**
 * Reads a proposal out of a provider's answer. Strict: nothing is guessed, mended or half taken.
 *
 * Throws: coach.badOutput, which says what is wrong and where in the answer.
 */
export function parseProposal(raw: string): ProposalBody {
  if (raw.length > maxRawLength)
    throw badOutput(`it has ${raw.length} characters, more than ${maxRawLength}`, raw);
  const trimmed = raw.trim();
  if (trimmed === '') throw badOutput('it is empty', raw);
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (cause) {
    const isCut = !/[}\]]$/.test(trimmed);
    throw badOutput(
      isCut ? 'it is cut short: the JSON does not end' : `it is not JSON (${(cause as Error).message})`,
      raw,
      cause,
    );
  }
  const parsed = strictBody.safeParse(value);
  if (!parsed.success) throw badOutput(describeIssues(parsed.error), raw, parsed.error);
  return parsed.data;
}

const text = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((value) => !controlCharacters.test(value), 'contains control characters');

const impactShape = proposalBody.shape.changes.element.shape.expected_impact.shape;
const changeShape = proposalBody.shape.changes.element.shape;

/** The contract's schema with the lengths that a model is held to, and no key beyond it. */
const strictBody = z.strictObject({
  analysis: text(textLimits.analysis),
  changes: z
    .array(
      z.strictObject({
        op: changeShape.op,
        target: text(textLimits.target).min(1),
        edl: text(4 * textLimits.edl),
        description: text(2 * textLimits.description),
        implementation_hint: text(textLimits.hint),
        expected_impact: z.strictObject({
          metric: text(textLimits.metric),
          direction: impactShape.direction,
          size: impactShape.size,
          why: text(2 * textLimits.why),
        }),
      }),
    )
    .min(1)
    .max(textLimits.changes),
  wishes: z.array(text(2 * textLimits.wish)).max(textLimits.wishes),
});

/** What is read of an answer, as JSON schema. */
export function proposalJsonSchema(): object {
  return z.toJSONSchema(strictBody);
}

function describeIssues(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.length === 0 ? 'the answer' : path.join('.')}: ${message}`)
    .join('; ');
}
