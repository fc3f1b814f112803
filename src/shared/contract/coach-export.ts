import { z } from 'zod';

/** What became of an answer. `screened`: refused by the validator; `unparsed`: no sound answer at all. */
export const exampleLabel = z.enum(['accepted', 'edited', 'rejected', 'screened', 'unparsed']);
export type ExampleLabel = z.infer<typeof exampleLabel>;

const prompt = z.strictObject({ role: z.enum(['system', 'user']), content: z.string() });
const answer = z.strictObject({
  role: z.literal('assistant'),
  content: z.string(),
  weight: z
    .union([z.literal(0), z.literal(1)])
    .describe('1: worth imitating (taken, and not rolled back later)'),
});

/** One answer of a coach as a conversation, with what became of it. One line of an exported file. */
export const exportExample = z.strictObject({
  messages: z.array(z.union([prompt, answer])).min(2),
  task: z
    .enum(['proposal', 'edit'])
    .describe(
      'proposal: as the model wrote it; edit: op, target and EDL alone, where no model wrote the prose',
    ),
  label: exampleLabel,
  reasons: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  measured: z
    .strictObject({ meanDifference: z.number(), low: z.number(), high: z.number(), numPairs: z.int() })
    .nullable()
    .describe('candidate minus unchanged environment on the objective, in its trial'),
  source: z.strictObject({
    study: z.string(),
    experiment: z.string().describe("SHA-256 of the experiment file's text"),
    family: z
      .string()
      .describe('studies that share an experiment or an environment have one; never in both parts'),
    run: z.string(),
    arm: z.string(),
    seed: z.number(),
    round: z.int().describe('from 0'),
    proposal: z.string(),
    provider: z.string(),
    model: z.string().nullable(),
    author: z.string().nullable().describe('who decided; null: the validator did'),
  }),
});
export type ExportExample = z.infer<typeof exportExample>;

const part = z.enum(['train', 'test']);

/**
 * What makes studies related, beside a question in common: an experiment file or an environment that they share, or an
 * experiment file alone.
 */
export const exportKinship = z.enum(['environment', 'experiment']);
export type ExportKinship = z.infer<typeof exportKinship>;

/** How the examples were divided, and what was left out. */
export const exportSummary = z.object({
  trainShare: z.number(),
  kin: exportKinship,
  studies: z.array(
    z.object({
      study: z.string(),
      family: z.string(),
      part,
      experiment: z.string(),
      environments: z.array(z.string()).describe('identities of all environments it trained in'),
      examples: z.int(),
    }),
  ),
  leftOut: z
    .object({ undecided: z.int(), noAnswer: z.int(), notChanges: z.int(), otherVersion: z.int() })
    .describe(
      'proposals: still open, without an answer, edited in ways that no change expresses, to a snapshot that this version cannot read',
    ),
});
export type ExportSummary = z.infer<typeof exportSummary>;

const file = z.strictObject({ name: z.string(), examples: z.int(), sha256: z.string() });

/** What lies beside the exported files: where every study is, and what the files hold. */
export const exportManifest = exportSummary.extend({
  version: z.literal(1),
  files: z.strictObject({ train: file, test: file }),
});
export type ExportManifest = z.infer<typeof exportManifest>;
