import { z } from 'zod';

/** What the keys of a describer's template may hold. Meaning and defaults: docs/scenarios/describers.md. */

const maxSlots = 64;
const maxLines = 64;
const maxExpressionLength = 2000;

const identifier = /^[A-Za-z][A-Za-z0-9_]*$/;
const expression = z
  .union([z.string(), z.number(), z.boolean()], { error: 'an EDL expression' })
  .transform(String)
  .pipe(z.string().min(1).max(maxExpressionLength));
const positive = z.number().positive();
const word = z.string().min(1).max(60);

const trend = z.strictObject({
  step: positive,
  settle: z.int().min(1).max(100_000).optional(),
  words: z.tuple([word, word, word]).optional(),
});

/** One slot as the file has it. */
export const slotSchema = z.strictObject({
  for: z
    .string()
    .regex(/^\s*[A-Za-z_][A-Za-z0-9_]*\s+in\s+\S.*$/s, 'write it as in EDL: "a in SET"')
    .optional(),
  count: expression.optional(),
  number: expression.optional(),
  level: expression.optional(),
  ratio: z.strictObject({ of: expression, to: expression }).optional(),
  unit: z.string().max(10).optional(),
  levels: z
    .array(z.union([word, z.number()]))
    .min(3)
    .max(21)
    .optional(),
  step: positive.optional(),
  margin: z.number().min(0).optional(),
  noun: z
    .union([word, z.tuple([word, word])], { error: 'a noun, or a pair of its singular and plural' })
    .optional(),
  missing: word.optional(),
  trend: trend.optional(),
});

const line = z.union(
  [
    z.string().max(1000),
    z.strictObject({
      text: z.string().max(1000),
      when: z.record(z.string(), z.union([word, z.array(word).min(1)])).optional(),
    }),
  ],
  { error: 'a line of text, or a block with "text" and "when"' },
);

export const templateSchema = z.strictObject({
  scenario: z.string().min(1),
  doc: z.string().max(2000).optional(),
  slots: z
    .record(z.string().regex(identifier, 'letters, digits and "_", a letter first'), slotSchema)
    .refine((slots) => Object.keys(slots).length <= maxSlots, `at most ${maxSlots} slots`),
  text: z.array(line).min(1).max(maxLines),
});

export type SlotFile = z.output<typeof slotSchema>;
export type LineFile = z.output<typeof line>;
export type TemplateFile = z.output<typeof templateSchema>;
