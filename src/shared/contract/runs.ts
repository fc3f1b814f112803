import { z } from 'zod';
import { ablationView } from './ablation.ts';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';
import { planView } from './plan.ts';
import { reports } from './report.ts';

export const runState = z.enum([
  'queued',
  'running',
  'paused',
  'finished',
  'failed',
  'stopped',
  'interrupted',
]);
export type RunState = z.infer<typeof runState>;

/** One arm with one seed. `step` is charged steps (training plus trials), the axis of every budget. */
export const runView = z.object({
  runId: z.string(),
  studyId: z.string(),
  arm: z.string(),
  seed: z.number(),
  state: runState,
  step: z.number(),
  ownSteps: z.number().describe('training steps without trials'),
  totalSteps: z.number(),
  round: z.int(),
  numRounds: z.int(),
  nextBoundary: z
    .int()
    .nullable()
    .describe('the round after which a decision takes effect next; null: no boundary is left'),
  stage: z
    .object({
      name: z.string(),
      index: z.int().describe('from 0'),
      count: z.int(),
      round: z.int().describe('the first that trains in it'),
      sinceStep: z.number().describe('charged steps at the boundary that began it'),
    })
    .nullable()
    .describe('of the curriculum; null where the environment has no stages'),
  traps: z
    .object({
      count: z.int().describe('episodes that a trap cut short, in the rounds that are done'),
      first: z.object({
        round: z.int(),
        declaration: z.string(),
        episode: z.number(),
        step: z.int(),
        reason: z.enum(['nonfinite', 'division', 'domain']),
      }),
    })
    .nullable()
    .describe('what the declarations of the environment could not compute; null where they always could'),
  stepsPerSecond: z.number().nullable(),
  objective: z.number().nullable().describe('last evaluation on the objective environment'),
  bestObjective: z.number().nullable(),
  parameterHash: z.string().nullable(),
  experience: z
    .string()
    .optional()
    .describe('SHA-256 of what its coach remembers of earlier studies (`coach.memory`); absent: nothing'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type RunView = z.infer<typeof runView>;

export const armSummary = z.object({
  name: z.string(),
  coach: z
    .object({ provider: z.string(), model: z.string().nullable() })
    .nullable()
    .describe('as the experiment names it; null: nobody is asked'),
  seeds: z.array(z.number()),
  objective: z
    .object({
      iqm: z.number(),
      low: z.number(),
      high: z.number(),
      numSeeds: z.int().describe('with a result; the interval of five or fewer is their range, not 95 %'),
    })
    .nullable(),
  vsBaseline: z
    .object({
      difference: z.number(),
      low: z.number(),
      high: z.number(),
      numPairs: z
        .int()
        .describe('seeds that both arms finished; the interval of five or fewer is their range'),
      probabilityOfImprovement: z.number(),
    })
    .nullable()
    .describe('paired by seed against the first arm'),
});
export type ArmSummary = z.infer<typeof armSummary>;

export const studyView = z.object({
  studyId: z.string(),
  name: z.string(),
  experimentPath: z.string(),
  state: runState,
  createdAt: z.number(),
  finishedAt: z.number().nullable(),
  objective: z.object({ metric: z.string(), group: z.string(), better: z.enum(['higher', 'lower']) }),
  runs: z.array(runView),
  arms: z.array(armSummary),
});
export type StudyView = z.infer<typeof studyView>;

/** Decimated series: per bucket the last step, mean, min and max. One point per bucket when nothing was cut. */
export const seriesView = z.object({
  runId: z.string(),
  key: z.string(),
  numPoints: z.int().describe('points stored, before decimation'),
  steps: z.instanceof(Float64Array),
  values: z.instanceof(Float64Array),
  low: z.instanceof(Float64Array),
  high: z.instanceof(Float64Array),
});
export type SeriesView = z.infer<typeof seriesView>;

export const metricPoint = z.object({ key: z.string(), step: z.number(), value: z.number() });
export type MetricPoint = z.infer<typeof metricPoint>;

export const runs = {
  list: call({
    args: z.object({}),
    result: z.array(studyView),
    errors: [],
    doc: 'Studies, newest first, with their runs.',
  }),
  get: call({
    args: z.object({ studyId: z.string() }),
    result: studyView,
    errors: ['store.notFound'],
    doc: 'One study.',
  }),
  start: call({
    args: z.object({
      experimentPath: fileArgument(),
      arm: z.string().optional(),
      seed: z.number().optional(),
      resume: z.string().optional().describe('study id to take up again'),
    }),
    result: studyView,
    errors: [
      'experiment.invalid',
      'edl.invalid',
      'workspace.notFound',
      'store.notFound',
      'store.corrupt',
      'workspace.diskFull',
      'workspace.unreadable',
      'prompt.invalid',
      'input.invalid',
    ],
    doc: 'Starts a study of an experiment file, or resumes one; everything is checked before anything trains.',
  }),
  pause: call({
    args: z.object({ studyId: z.string() }),
    result: studyView,
    errors: ['store.notFound'],
    doc: 'Pauses after the current iteration, of a round or of a trial; no coach is asked meanwhile.',
  }),
  unpause: call({
    args: z.object({ studyId: z.string() }),
    result: studyView,
    errors: ['store.notFound'],
    doc: 'Continues a paused study.',
  }),
  stop: call({
    args: z.object({ studyId: z.string() }),
    result: studyView,
    errors: ['store.notFound'],
    doc: 'Ends a study after a checkpoint; it can be resumed.',
  }),
  keys: call({
    args: z.object({ runIds: z.array(z.string()) }),
    result: z.array(z.string()),
    errors: ['store.notFound'],
    doc: 'Metric keys the runs have.',
  }),
  series: call({
    args: z.object({
      runId: z.string(),
      key: z.string(),
      fromStep: z.number().optional(),
      toStep: z.number().optional(),
      maxPoints: z.int().min(2).max(100_000).default(2000),
    }),
    result: seriesView,
    errors: ['store.notFound'],
    doc: 'One metric of one run against charged steps, min/max-decimated.',
  }),
  compare: call({
    args: z.object({ runIds: z.array(z.string()).min(1) }),
    result: z.object({
      runs: z.array(runView),
      configuration: z.array(
        z.object({ key: z.string(), values: z.array(z.string().nullable()), differs: z.boolean() }),
      ),
      environments: z.array(
        z.object({ runId: z.string(), round: z.int(), text: z.string(), identity: z.string() }),
      ),
      summaries: z.array(
        z.object({
          runId: z.string(),
          key: z.string(),
          last: z.number().nullable(),
          min: z.number().nullable(),
          max: z.number().nullable(),
        }),
      ),
    }),
    errors: ['store.notFound'],
    doc: 'Configuration, environments and last values and ranges of chosen runs side by side.',
  }),
  report: call({
    args: z.object({
      studyIds: z.array(z.string()).min(1).max(100),
      threshold: z.number().optional().describe("default: the final score of each study's first arm"),
    }),
    result: reports,
    errors: ['store.notFound'],
    doc: 'What changing environments did: scores, steps to a threshold, held-out scores, complexity, funnel, impact, wishes.',
  }),
  plan: call({
    args: z.object({
      experimentPath: fileArgument(),
      arm: z.string().optional(),
      seed: z.number().optional(),
    }),
    result: planView,
    errors: ['experiment.invalid', 'edl.invalid', 'workspace.notFound', 'prompt.invalid', 'input.invalid'],
    doc: 'What executing an experiment file will take: runs, steps, shares, hours and disk. Starts nothing.',
  }),
  ablation: call({
    args: z.object({
      studyId: z.string(),
      runId: z.string().optional().describe('default: the best run with changes in force'),
      seeds: z
        .array(z.int().min(0))
        .min(1)
        .max(1000)
        .optional()
        .describe('default: as many as the study has, fresh ones'),
      isAddOne: z.boolean().default(false).describe('train each change alone, too'),
    }),
    result: ablationView,
    errors: ['store.notFound', 'store.corrupt', 'input.invalid', 'experiment.invalid'],
    doc: 'What each change of a coached run did, as far as it was retrained, and what is missing. Starts and writes nothing.',
  }),
};
