import { z } from 'zod';
import { planView } from './plan.ts';

const paired = z.object({
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  numPairs: z.int(),
  probabilityOfImprovement: z.number(),
});

/** What each change of a coached run did, retrained with one left out at a time. */
export const ablationView = z.object({
  studyId: z.string(),
  runId: z.string().describe('the run whose changes these are'),
  arm: z.string(),
  seed: z.number(),
  objective: z.object({ metric: z.string(), group: z.string(), better: z.enum(['higher', 'lower']) }),
  folder: z.string().describe('of its experiments and environments, relative to the workspace'),
  changes: z.array(
    z.object({
      index: z.int().describe('from 1, in the order they were applied'),
      label: z.string(),
      proposalId: z.string().nullable(),
      round: z.int().nullable().describe('after which it was decided, from 0'),
      skipped: z.string().nullable().describe('why it has no arm of its own'),
      contribution: paired.nullable().describe('with all changes minus without it, paired by seed'),
      alone: paired.nullable().describe('with it alone minus with none'),
    }),
  ),
  together: paired.nullable().describe('with all changes minus with none'),
  numArms: z.int(),
  finishedSeeds: z.array(z.number()).describe('of which every arm has a result'),
  unfinished: z
    .object({ studyId: z.string(), experimentPath: z.string() })
    .nullable()
    .describe('an ablation of this run that was interrupted: it goes on first'),
  missingSeeds: z
    .array(z.number())
    .describe('asked for, and lacking arms in all ablations of this run: those that are trained next'),
  experimentPath: z.string().nullable().describe('that trains the missing seeds; null: none is missing'),
  files: z.array(z.object({ path: z.string(), text: z.string() })).describe('to be written before it starts'),
  plan: planView.nullable().describe('of what is missing'),
});
export type AblationView = z.infer<typeof ablationView>;
