import { z } from 'zod';

/** A term that was found in a judgement. */
const foundTerm = z.object({
  term: z.string().describe('as it stands in the table'),
  at: z.int().nonnegative().describe('offset in the text'),
  value: z.number().describe('what it counts here: turned round by negations, scaled by modifiers'),
  by: z.array(z.string()).describe('the negations and modifiers that did so'),
});

/** A judgement in words as a number. */
export const translation = z.object({
  value: z
    .number()
    .nullable()
    .describe('mean over the terms, within the range of the table; null: there is none'),
  terms: z.array(foundTerm),
  unknown: z.array(z.string()).describe('words that the table does not know: they count nothing'),
  table: z.string().describe('file of the table'),
});
export type TranslationView = z.infer<typeof translation>;
