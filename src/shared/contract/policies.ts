import { z } from 'zod';
import { policyExtras } from '../rl/policy-metadata.ts';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';
import { playableView, policyPlayView } from './policy-play.ts';

export type * from './policy-play.ts';

export const policyView = z.object({
  policyId: z.string(),
  runId: z.string(),
  arm: z.string(),
  seed: z.number(),
  round: z.int(),
  group: z.string(),
  file: z.string().describe('relative to the workspace root'),
  sha256: z.string(),
  parameterHash: z.string(),
  createdAt: z.number(),
});
export type PolicyView = z.infer<typeof policyView>;

const estimate = z.object({ mean: z.number(), low: z.number(), high: z.number() });

/** Greedy play over fixed episodes; low and high are the mean's 95 % interval (1.96 standard errors over episodes). */
export const evaluationView = z.object({
  environment: z.string(),
  scenario: z.string(),
  episodes: z.int(),
  groups: z.array(
    z.object({
      group: z.string(),
      policy: z.string(),
      episodeReturn: estimate.describe('mean over the agents of the group, base reward'),
      metrics: z.array(z.object({ name: z.string(), unit: z.string(), mean: z.number() })),
    }),
  ),
});
export type EvaluationView = z.infer<typeof evaluationView>;

/** What an imported model was taken for. */
export const importedPolicyView = z.object({
  scenario: z.string(),
  group: z.string(),
  obsDim: z.int(),
  numActions: z.int(),
  extras: z.array(policyExtras),
  hiddenDim: z.int(),
});
export type ImportedPolicyView = z.infer<typeof importedPolicyView>;

const port = z.string().min(1).optional();

export const policies = {
  list: call({
    args: z.object({ studyId: z.string().optional(), runId: z.string().optional() }),
    result: z.array(policyView),
    errors: ['store.notFound'],
    doc: 'Exported policies, newest first.',
  }),
  export: call({
    args: z.object({ policyId: z.string() }),
    result: z.object({ policy: policyView, onnx: z.instanceof(Uint8Array) }),
    errors: ['store.notFound', 'policy.invalid'],
    doc: 'The ONNX file of one policy.',
  }),
  import: call({
    args: z.object({
      file: fileArgument().describe('path of an ONNX model that somebody else made'),
      environment: fileArgument().describe('path of an EDL file, or a scenario name: whose group it plays'),
      group: z.string().optional().describe('needed where the environment has several'),
      extras: z.array(policyExtras).default([]).describe('what it sees beside the observation, in order'),
      ports: z
        .object({ obs: port, scores: port, logitBias: port, hidden: port, nextHidden: port })
        .default({})
        .describe("names of the model's inputs and outputs, where widths do not tell"),
    }),
    result: z.object({ policy: importedPolicyView, onnx: z.instanceof(Uint8Array) }),
    errors: [
      'policy.invalid',
      'edl.invalid',
      'scenario.unknown',
      'input.invalid',
      'sim.addonMissing',
      'sim.addonMismatch',
      'scenario.badLibrary',
      'workspace.notFound',
    ],
    doc: 'A foreign ONNX model as a policy file, once its space is that of the group.',
  }),
  evaluate: call({
    args: z.object({
      policies: z
        .array(fileArgument())
        .describe(
          'one per group that `play` names nobody for: ids, or paths of .onnx files; the file says which group it plays',
        ),
      environment: fileArgument().describe('path of an EDL file, or a scenario name'),
      play: z
        .record(z.string(), z.string())
        .default({})
        .describe(
          'group -> built-in policy that plays it where no policy is given; not for a group that npc declarations play',
        ),
      episodes: z.int().min(1).max(100_000).default(1024),
      seed: z.int().nonnegative().default(1),
    }),
    result: evaluationView,
    errors: [
      'store.notFound',
      'policy.invalid',
      'edl.invalid',
      'scenario.unknown',
      'input.invalid',
      'sim.addonMissing',
      'sim.addonMismatch',
      'scenario.badLibrary',
      'workspace.notFound',
    ],
    doc: 'Plays fixed greedy episodes and reports base returns and metrics per group.',
  }),
  playable: call({
    args: z.object({ runId: z.string() }),
    result: playableView,
    errors: ['store.notFound'],
    doc: 'What of a run can be watched: its exported policies, and the environments it trained and is scored in.',
  }),
  play: call({
    args: z.object({
      runId: z.string(),
      round: z.int().min(0).optional().describe('whose policies play; default: the latest'),
      environment: z.enum(['training', 'objective']).default('objective'),
      trainedIn: z
        .int()
        .min(0)
        .optional()
        .describe('round whose training environment it is; default: the one in force'),
      seed: z
        .int()
        .min(0)
        .optional()
        .describe('stream of the episode; default: that of the episodes which the run is scored on'),
      episode: z.int().min(0).max(1_000_000).default(0).describe('index in the stream'),
      ticket: z.string().max(100).optional().describe('by which cancelPlay finds it'),
    }),
    result: policyPlayView,
    errors: [
      'store.notFound',
      'input.notFound',
      'input.invalid',
      'policy.invalid',
      'experiment.invalid',
      'store.corrupt',
      'run.cancelled',
      'sim.addonMissing',
      'sim.addonMismatch',
      'sim.badFrame',
    ],
    doc: "Plays one episode of a run's policies, greedily, and tells what it looks like, step by step.",
  }),
  cancelPlay: call({
    args: z.object({ ticket: z.string() }),
    result: z.object({}),
    errors: [],
    doc: 'Ends a play that is under way; its call is run.cancelled. One that is over is left alone.',
  }),
};
