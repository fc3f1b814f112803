import { z } from 'zod';

const measuredCosts = z.object({
  numRuns: z.int().describe('finished runs of this workspace that the figures are medians of'),
  isSameLearner: z.boolean().describe('with the very same settings; else of the same algorithm'),
  secondsPerMillionSteps: z.number().describe('wall time of a run, per million charged steps'),
  bytesPerRound: z.number().describe('checkpoint, record and policies'),
});
export type MeasuredCosts = z.infer<typeof measuredCosts>;

const armPlan = z.object({
  arm: z.string(),
  provider: z.string(),
  replays: z
    .object({ study: z.string(), arm: z.string().nullable() })
    .optional()
    .describe('whose answers provider replay repeats'),
  numRuns: z.int(),
  chargedSteps: z.number().describe('of all its runs: training plus trials'),
  mostTrialSteps: z.number().describe('of them, at most'),
  evaluations: z.number().describe('at most; trials step over points of the grid'),
  evaluationEpisodes: z
    .number()
    .describe('of those and of held-out environments; their steps are not charged'),
  shortage: z
    .string()
    .nullable()
    .describe(
      'why no boundary pays for a trial though there are to be some: nobody but a person asks then in automatic mode, else answers wait untried',
    ),
  episodesPerTrialScore: z.number().describe('of the score of every branch; 0: nothing is tried'),
  measured: measuredCosts
    .nullable()
    .describe('null: no run of its scenario and algorithm has finished here yet'),
});

/** What a study will take, before anything starts. Times and sizes are as measured here, or null. */
export const planView = z.object({
  name: z.string(),
  experimentPath: z.string(),
  budget: z.object({ steps: z.number(), rounds: z.int() }),
  seeds: z.array(z.number()),
  arms: z.array(armPlan),
  trainers: z.int().describe('runs at work at the same time'),
  hours: z
    .number()
    .nullable()
    .describe('of all arms, and no less than their longest run; null: an arm was not measured'),
  bytes: z.number().nullable().describe('of all arms; null: an arm was not measured'),
});
export type PlanView = z.infer<typeof planView>;
