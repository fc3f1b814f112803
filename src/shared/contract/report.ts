import { z } from 'zod';
import { probeSummary } from './coach-probe.ts';
import { unusable } from './unusable-answers.ts';

/** Interquartile mean over seeds; the interval of five or fewer is their range. */
const figure = z.object({ iqm: z.number(), low: z.number(), high: z.number(), numSeeds: z.int() });
export type ReportFigure = z.infer<typeof figure>;

/** Mean difference over seeds that both arms have; positive: the arm is higher. */
const paired = z.object({
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  numPairs: z.int(),
  probabilityOfImprovement: z.number(),
});
export type ReportPaired = z.infer<typeof paired>;

const armScores = z.object({
  arm: z.string(),
  figure: figure.nullable(),
  vsBaseline: paired.nullable(),
});

const share = z.object({ hits: z.int(), of: z.int(), low: z.number(), high: z.number() });

/** How far questions to one source came. An answer and the second attempt at it are one question. */
const funnelRow = z.object({
  arm: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  prompt: z.string().nullable().describe('SHA-256 of the prompt file; null where no prompt is used'),
  asked: z.int(),
  parsed: z.int(),
  valid: z.int(),
  tried: z.int(),
  accepted: z.int(),
  improved: z
    .int()
    .describe(
      'the round after was better than the one before, and the environment from before did not come back',
    ),
  unusable: unusable.optional().describe('why no answer was usable; absent where one was, or nobody failed'),
});
export type FunnelRow = z.infer<typeof funnelRow>;

/** What was foreseen of changes, against what was measured. */
const impactRow = z.object({
  arm: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  basis: z
    .enum(['trial', 'rounds'])
    .describe(
      'trial: candidate against control, on the objective; rounds: before and after, on another metric',
    ),
  direction: share,
  size: share.describe('of those whose direction was right'),
});
export type ImpactRow = z.infer<typeof impactRow>;

/** Environments of one arm in one round, means over its runs. */
const complexityPoint = z.object({
  round: z.int(),
  numRuns: z.int(),
  declarations: z.record(z.string(), z.number()).describe('kind -> how many'),
  total: z.number(),
  behaviours: z.number().describe('different behaviours that npc declarations give'),
  stateEntropy: z
    .number()
    .nullable()
    .describe('bits per state feature, of recorded states in 16 bins each; null without records'),
});
export type ComplexityPoint = z.infer<typeof complexityPoint>;

/** What changing the environment did to a study, arm by arm; every figure is of finished runs on equal charged steps. */
export const reportView = z.object({
  version: z.literal(1),
  studyId: z.string(),
  name: z.string(),
  experimentPath: z.string(),
  state: z.string(),
  objective: z.object({ metric: z.string(), group: z.string(), better: z.enum(['higher', 'lower']) }),
  budget: z.object({ steps: z.number(), rounds: z.int() }),
  baseline: z.string(),
  random: z.string().nullable().describe('the arm of random valid changes; null: there is none'),
  arms: z.array(
    z.object({
      name: z.string(),
      provider: z.string(),
      model: z.string().nullable(),
      numRuns: z.int(),
      numFinished: z.int(),
      chargedSteps: z.object({ least: z.number(), most: z.number() }).nullable(),
      trialSteps: z.number().nullable().describe('mean over finished runs; part of the charged steps'),
      evaluationSteps: z
        .number()
        .nullable()
        .describe('mean over finished runs, of evaluations and of the scores of trials; not charged'),
    }),
  ),
  final: z.array(armScores.extend({ vsRandom: paired.nullable() })),
  threshold: z
    .object({
      value: z.number(),
      source: z
        .enum(['given', 'baseline', 'halfway'])
        .describe(
          "baseline: the first arm's final score; halfway: from untrained policies to the best arm's final score",
        ),
      arms: z.array(
        armScores.extend({
          reached: z.int(),
          numRuns: z.int(),
        }),
      ),
    })
    .nullable()
    .describe(
      'charged steps to the first evaluation there; a run that never got there counts as its whole budget',
    ),
  heldOut: z.object({
    environments: z.array(z.object({ name: z.string(), arms: z.array(armScores) })),
    overall: z
      .array(
        z.object({
          arm: z.string(),
          probabilityOfImprovement: z.number(),
          low: z.number(),
          high: z.number(),
          numPairs: z.int().describe('seeds'),
        }),
      )
      .describe('share of environments in which the arm is better than the first, over seeds'),
    rounds: z.array(z.object({ environment: z.string(), arm: z.string(), round: z.int(), figure: figure })),
  }),
  complexity: z.array(z.object({ arm: z.string(), rounds: z.array(complexityPoint) })),
  funnel: z.array(funnelRow),
  probes: z
    .array(probeSummary)
    .describe('what was measured in the workspace of how often somebody finds what repairs planted defects'),
  impact: z.array(impactRow),
  wishes: z.array(
    z.object({ text: z.string(), count: z.int(), provider: z.string(), model: z.string().nullable() }),
  ),
  warnings: z.array(z.string()),
});
export type ReportView = z.infer<typeof reportView>;

/** Arms that several studies have by name, each against the first arm of its own study. */
const acrossStudies = z.object({
  studies: z.array(z.string()),
  arms: z.array(
    z.object({
      arm: z.string(),
      numStudies: z.int(),
      numPairs: z.int(),
      probabilityOfImprovement: z
        .number()
        .describe('mean over studies of the share of seeds in which it is better'),
      interval: z
        .object({ low: z.number(), high: z.number() })
        .nullable()
        .describe(
          'bootstrap at 95 %, stratified by study; null where a study has fewer than three pairs, or all have fewer than seven together',
        ),
    }),
  ),
});

export const reports = z.object({ reports: z.array(reportView), across: acrossStudies.nullable() });
export type Reports = z.infer<typeof reports>;
