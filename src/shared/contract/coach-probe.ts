import { z } from 'zod';
import { namedProviders } from './coach-asked.ts';
import { modelSetup } from './model-setup.ts';

/** A share or mean over defects with its 95 % interval. */
const figure = z.object({ value: z.number(), low: z.number(), high: z.number() });
export type ProbeFigure = z.infer<typeof figure>;

const figures = z.object({
  top1: figure.describe('share of defects whose first choice repairs'),
  top3: figure.describe('share of defects with a repair among the first three'),
  reciprocalRank: figure.describe('mean of one over the place of the first repair; 0 beyond the fifth'),
});
export type ProbeFigures = z.infer<typeof figures>;

/** How often somebody found the edits that repair planted defects, as it is kept. */
export const probeRecord = z.object({
  version: z.literal(2),
  provider: z.enum(namedProviders),
  model: z.string().nullable(),
  modelHash: z.string().nullable(),
  promptHash: z.string().nullable().describe('SHA-256 of the prompt file; null where no prompt is used'),
  setup: modelSetup.optional().describe('what the model that was asked was loaded with; absent without one'),
  isShuffled: z.boolean().describe('the snapshot shown is that of another defect of the scenario'),
  defects: z.string().describe('SHA-256 over the labelled defects'),
  numDefects: z.int(),
  figures,
  overRandom: figures.describe(
    'the same minus what uniform choice among the options comes to, defect by defect',
  ),
  scenarios: z.array(z.object({ scenario: z.string(), numDefects: z.int(), top1: z.number() })),
  answers: z.array(
    z.object({
      defect: z.string(),
      scenario: z.string(),
      fault: z.string(),
      rank: z
        .number()
        .nullable()
        .describe('place of the first repair, from 1; null: not among the first five'),
      first: z.string().nullable().describe('the first choice, in words; null: none was given'),
      repairs: z.int(),
      options: z.int(),
    }),
  ),
});
export type ProbeRecord = z.infer<typeof probeRecord>;

/** The same beside what else was measured. */
export const probeView = probeRecord.extend({
  overShuffled: figures
    .nullable()
    .describe(
      'what the same chooser scores with the snapshots of the defects minus what with those of others, defect by defect; null: only one was measured',
    ),
});
export type ProbeView = z.infer<typeof probeView>;

/** The same without the single answers. */
export const probeSummary = probeView.omit({ answers: true });
export type ProbeSummary = z.infer<typeof probeSummary>;
