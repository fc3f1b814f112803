import { z } from 'zod';
import { askedCoach } from './coach-asked.ts';
import { evidenceExample, evidenceView, validationView } from './coach-evidence.ts';
import { exportExample, exportKinship, exportSummary } from './coach-export.ts';
import { memoryEntry, rankerFigures } from './coach-memory.ts';
import { probeView } from './coach-probe.ts';
import { translation } from './coach-translate.ts';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';
import { modelSetup } from './model-setup.ts';

export * from './coach-evidence.ts';
export * from './model-setup.ts';

/** One typed edit of the environment text, as a coach writes it. */
export const proposedChange = z.object({
  op: z.enum(['add', 'modify', 'remove']),
  target: z.string().describe('"reward crowding", "set agent.accel"; for add: the new declaration\'s own'),
  edl: z.string().describe('the whole declaration; empty for remove'),
  description: z.string(),
  implementation_hint: z.string().describe('the manifest primitive used'),
  expected_impact: z.object({
    metric: z.string(),
    direction: z.enum(['up', 'down']),
    size: z.enum(['small', 'medium', 'large']),
    why: z.string(),
  }),
});
export type ProposedChange = z.infer<typeof proposedChange>;

/** What a coach answers. Wishes are what the language cannot express. */
export const proposalBody = z.object({
  analysis: z.string(),
  changes: z.array(proposedChange).min(1).max(2),
  wishes: z.array(z.string()),
});
export type ProposalBody = z.infer<typeof proposalBody>;

export const proposalState = z.enum([
  'asked',
  'unparsed',
  'invalid',
  'validated',
  'trying',
  'awaiting',
  'accepted',
  'edited',
  'rejected',
  'failed',
]);
export type ProposalState = z.infer<typeof proposalState>;

/** What was tried of a candidate, and what it cost, whatever came of it. */
const triedPairs = z.object({
  candidate: z.string(),
  pairs: z.array(z.object({ seed: z.string(), candidate: z.number(), control: z.number() })),
  chargedSteps: z.number().describe('those of a branch that broke down included'),
});

const concludedTrial = triedPairs.extend({
  state: z.literal('concluded'),
  meanDifference: z.number(),
  low: z
    .number()
    .describe('interval of the paired difference: the range of up to six pairs, else a bootstrap at 95 %'),
  high: z.number(),
  numPairs: z.int().describe('pairs that the interval is of: the deciding ones, where any decided'),
  wasDecided: z.boolean().describe('pairs with fresh seeds decided on it: it was not screened out before'),
  leastGain: z
    .number()
    .optional()
    .describe(
      'what the mean difference has to exceed: two standard errors of it over the episodes that scored it',
    ),
  probabilityOfImprovement: z.number(),
  verdict: z.enum(['better', 'notBetter']),
});
export type ConcludedTrial = z.infer<typeof concludedTrial>;

export const trialView = z.discriminatedUnion('state', [
  concludedTrial,
  triedPairs.extend({
    state: z.literal('brokeDown'),
    failure: z.string().describe('in which environment training broke down, and how'),
  }),
  triedPairs.extend({ state: z.literal('unfinished') }),
]);
export type TrialView = z.infer<typeof trialView>;

export const decisionView = z.object({
  verdict: z.enum(['accepted', 'edited', 'rejected']),
  author: z.enum(['automatic', 'person']),
  note: z.string(),
  decidedAt: z.number(),
  validation: validationView.optional().describe('of an edited text, on what was recorded by then'),
});
export type DecisionView = z.infer<typeof decisionView>;

/** The decision to go back to the environment before the proposal's change, made by the rule alone. */
export const rollbackView = z.object({
  author: z.literal('rollback'),
  round: z.int().describe('the round that fell'),
  measured: z.number().describe('the objective at its end'),
  incumbent: z.number().describe('the objective that it fell below'),
  margin: z.number().describe('by how much it had to fall to count'),
  note: z.string(),
  decidedAt: z.number(),
});

export const proposalView = z.object({
  proposalId: z.string(),
  studyId: z.string(),
  runId: z.string(),
  arm: z.string(),
  seed: z.number(),
  round: z.int(),
  provider: z.string().describe('rules, random, llama, http, learned, memory, replay'),
  model: z.string().nullable(),
  isComposed: z.boolean().describe('prose composed from a ranked edit, not written by a model'),
  state: proposalState,
  body: proposalBody.nullable(),
  before: z.string().describe('EDL text in force'),
  after: z.string().nullable().describe('EDL text with the changes applied'),
  edited: z.string().optional().describe('EDL text that a person accepted in its place'),
  validation: validationView.nullable(),
  trial: trialView.nullable().describe('null where nothing was tried, or no pair of it is on record yet'),
  untried: z.string().optional().describe('why it is left to a person without a trial'),
  decision: decisionView.nullable(),
  rollback: rollbackView.optional().describe('what undid the change, if it was undone'),
  reason: z.string().describe('why the coach was asked, e.g. the issue that fired'),
  failure: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('why there is no usable answer'),
  repairs: z.string().optional().describe('the refused proposal that this is the second attempt for'),
  prompt: z
    .object({
      file: z.string().describe('SHA-256 of the prompt file'),
      cuts: z.array(z.string()).describe('what was left out so that it fits the model'),
    })
    .optional()
    .describe('of the coach that was asked; absent where it reads none'),
  createdAt: z.number(),
});
export type ProposalView = z.infer<typeof proposalView>;

/** One request to a language model, as it stands on record. */
export const modelCallView = z.object({
  modelCallId: z.string(),
  model: z.string(),
  modelHash: z.string(),
  mode: z.enum(['rank', 'generate']),
  prompt: z.string(),
  output: z.string(),
  options: z.array(
    z.object({ text: z.string(), logProb: z.number(), baseline: z.number(), score: z.number() }),
  ),
  promptTokens: z.int(),
  outputTokens: z.int(),
  durationMs: z.number(),
  setup: modelSetup.optional().describe('what the model was loaded with; absent on older records'),
});
export type ModelCallView = z.infer<typeof modelCallView>;

/** One answer of a coach that was asked outside a run. */
export const coachAnswer = z.object({
  index: z.int(),
  body: proposalBody.nullable().describe('null when the answer could not be parsed'),
  isComposed: z.boolean(),
  after: z.string().nullable().describe('EDL text with the changes applied'),
  validation: validationView.nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type CoachAnswer = z.infer<typeof coachAnswer>;

export const coach = {
  list: call({
    args: z.object({ studyId: z.string().optional(), runId: z.string().optional() }),
    result: z.array(proposalView),
    errors: [],
    doc: 'Proposals, newest first.',
  }),
  get: call({
    args: z.object({ proposalId: z.string() }),
    result: z.object({ proposal: proposalView, snapshot: z.string(), modelCalls: z.array(modelCallView) }),
    errors: ['store.notFound'],
    doc: 'One proposal with the snapshot it answered and the model calls behind it.',
  }),
  evidence: call({
    args: evidenceExample.extend({
      proposalId: z.string(),
      text: z
        .string()
        .optional()
        .describe('EDL text to hold the record against; default: the one that the proposal leads to'),
    }),
    result: evidenceView,
    errors: [
      'store.notFound',
      'input.notFound',
      'input.invalid',
      'sim.addonMissing',
      'sim.addonMismatch',
      'sim.badFrame',
    ],
    doc: "Recorded steps of the proposal's run, such as an example of a reason names, and what its environment makes of them.",
  }),
  propose: call({
    args: z.object({
      environment: fileArgument().describe('path of an EDL file'),
      ...askedCoach,
      count: z.int().min(1).max(1000).default(1),
      seed: z.int().nonnegative().default(1),
    }),
    result: z.object({
      provider: z.string().describe('who was asked'),
      proposals: z.array(coachAnswer),
      funnel: z.object({
        asked: z.int().describe('questions; parsed and valid are of them, second attempts included'),
        parsed: z.int(),
        valid: z.int(),
        repaired: z.int().describe('questions that had a second attempt'),
        snapshots: z.int().describe('different snapshots that the questions were about'),
        distinct: z.int().describe('different environments that the valid answers lead to'),
      }),
    }),
    errors: [
      'workspace.notFound',
      'experiment.invalid',
      'edl.invalid',
      'prompt.invalid',
      'model.notFound',
      'model.invalid',
      'model.outOfMemory',
      'model.timeout',
      'modelHost.died',
      'input.notFound',
      'input.invalid',
    ],
    doc: 'Asks a coach about an environment that nobody trains in: random play stands in for a round. Changes nothing.',
  }),
  probe: call({
    args: z.object({
      ...askedCoach,
      shuffled: z.boolean().default(false).describe('show the snapshot of another defect of the scenario'),
    }),
    result: probeView,
    errors: [
      'workspace.notFound',
      'experiment.invalid',
      'prompt.invalid',
      'model.notFound',
      'model.invalid',
      'model.outOfMemory',
      'model.timeout',
      'modelHost.died',
      'input.notFound',
      'input.invalid',
      'workspace.readOnly',
      'workspace.diskFull',
    ],
    doc: 'Lets a coach choose among edits of planted defects whose effect is known, and keeps in the workspace how often it found a repair.',
  }),
  decide: call({
    args: z.object({
      proposalId: z.string(),
      verdict: z.enum(['accepted', 'edited', 'rejected']),
      text: z.string().optional().describe('the whole EDL text, for edited'),
      note: z.string().default(''),
      overrule: z
        .boolean()
        .default(false)
        .describe('take an edited text although what was recorded speaks against it'),
    }),
    result: proposalView,
    errors: ['store.notFound', 'store.constraint', 'edl.invalid', 'coach.refused'],
    doc: "A person's decision; takes effect at the next round boundary. An edited text is compiled and validated first.",
  }),
  requestProposal: call({
    args: z.object({ runId: z.string() }),
    result: z.object({}),
    errors: ['store.notFound', 'input.invalid'],
    doc: 'The manual trigger: asks the coach at the next round boundary.',
  }),
  translate: call({
    args: z.object({
      text: z.string().max(20_000),
      table: fileArgument()
        .optional()
        .describe("file of a table of terms; default: the workspace's own, else the shipped one"),
    }),
    result: translation,
    errors: ['input.invalid', 'input.notFound', 'workspace.unreadable'],
    doc: 'A judgement in words as a number, by a table of terms; words that it does not know are told and count nothing.',
  }),
  memory: call({
    args: z.object({
      frozen: z
        .string()
        .optional()
        .describe(
          'hash of what a study froze as it began (`experience` of its runs); default: what there is now',
        ),
    }),
    result: z.array(memoryEntry),
    errors: ['store.notFound', 'store.corrupt'],
    doc: 'What a study that begins now could learn from, or one that began does: tried changes with their effect, and what a person decided; newest first.',
  }),
  learn: call({
    args: z.object({ studyIds: z.array(z.string()).default([]).describe('empty: all studies') }),
    result: z.object({
      name: z.string().describe('file name, which holds the hash of the text'),
      text: z.string(),
      figures: rankerFigures,
    }),
    errors: ['store.notFound', 'input.invalid'],
    doc: 'Learns from the trials on record which edits help: a ranker for `provider: learned`, and how well it orders studies that were left out. Writes nothing.',
  }),
  forget: call({
    args: z.object({ proposalId: z.string(), isForgotten: z.boolean().default(true) }),
    result: z.object({}),
    errors: ['store.notFound'],
    doc: 'Keeps studies that begin from now on from learning of a proposal, or lets them again. Running ones keep what they froze.',
  }),
  export: call({
    args: z.object({
      studyIds: z.array(z.string()).default([]).describe('empty: all studies'),
      trainShare: z.number().min(0).max(1).default(0.8),
      kin: exportKinship.default('environment').describe('what makes studies related'),
    }),
    result: z.object({ train: z.array(exportExample), test: z.array(exportExample), summary: exportSummary }),
    errors: ['store.notFound'],
    doc: 'What coaches answered, with what became of it, as fine-tuning data; related studies are never in both parts.',
  }),
};
