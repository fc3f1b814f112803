import { z } from 'zod';

/** Something that the workspace's coaches remember: a change, where it was proposed, and what came of it. */
export const memoryEntry = z.object({
  proposalId: z.string(),
  studyId: z.string(),
  situation: z
    .object({
      arm: z.string(),
      seed: z.number(),
      round: z.int().describe('after which it was proposed'),
      issues: z.array(z.string()).describe('that fired then, with the agent they are about'),
    })
    .describe('where and in what trouble the change was proposed'),
  scenario: z.object({ name: z.string(), version: z.int() }),
  objective: z.object({ metric: z.string(), group: z.string(), better: z.enum(['higher', 'lower']) }),
  provider: z.string(),
  model: z.string().nullable(),
  changes: z.array(
    z.object({ op: z.enum(['add', 'modify', 'remove']), target: z.string(), edl: z.string() }),
  ),
  label: z.enum(['accepted', 'edited', 'rejected', 'undecided']),
  author: z.enum(['automatic', 'person']).nullable(),
  isRolledBack: z.boolean().describe('it was in force, and the environment from before it came back'),
  measured: z
    .object({ meanDifference: z.number(), low: z.number(), high: z.number(), numPairs: z.int() })
    .nullable()
    .describe(
      'candidate minus control on the objective, with the changes as they were proposed; null: it was not measured',
    ),
  brokeDown: z.boolean().describe('training in it broke down in its trial'),
  wasDecided: z
    .boolean()
    .describe('pairs that had no part in choosing it decided on it: it was not screened out before'),
  hasHelped: z
    .boolean()
    .describe(
      'pairs that had no part in choosing it decided for it, it was not rolled back, and no person took another text in its place: it may be proposed again',
    ),
  isForgotten: z.boolean().describe('studies that begin from now on do not learn of it'),
  createdAt: z.number(),
});
export type MemoryEntry = z.infer<typeof memoryEntry>;

const order = {
  pairs: z.number().describe('pairs of its trials with different gains'),
  right: z
    .number()
    .describe('of them in the right order by all that is on record, ties half; by chance: half of them'),
  withoutScorer: z
    .number()
    .describe('the same without what a model made of the edits: what an arm without a scorer has'),
};

/** How well a ranker orders the trials of studies that it was not taught. */
export const rankerFigures = z.object({
  trials: z.int(),
  studies: z.array(z.object({ study: z.string(), trials: z.int(), ...order })),
  ...order,
});
export type RankerFigures = z.infer<typeof rankerFigures>;
