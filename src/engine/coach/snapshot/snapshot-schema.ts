import { z } from 'zod';
import { declarationKindNames } from '../../edl/types.ts';

/** A stretch of training: charged steps at its end, and the extremes of what was logged in it. */
const checkpoint = z.object({ step: z.number(), min: z.number(), mean: z.number(), max: z.number() });

const issue = z.object({
  name: z.string(),
  subject: z.string().nullable().default(null).describe('the agent it is about; null: all of them'),
  doc: z.string(),
  condition: z.string().describe('as written in the environment'),
  until: z
    .string()
    .nullable()
    .default(null)
    .describe('what ends it, as written; null: the condition failing'),
  isFiring: z.boolean().describe('it has begun and not ended'),
  heldEvaluations: z.int().describe('evaluations in a row, up to the last, in which the condition held'),
  forEvaluations: z.int().describe('evaluations it has to hold for'),
  evidence: z.record(z.string(), z.number()).describe('last values of the metrics it names'),
});

const component = z.object({
  name: z.string(),
  kind: z
    .enum(['base', 'shaping'])
    .describe('base: of the scenario; shaping: declared by a reward of the environment'),
  doc: z.string(),
  share: z.number().describe('|mean| of the last checkpoint over the sum of it over all components, 0..1'),
  checkpoints: z.array(checkpoint).describe('episode sum per agent'),
});

/** Declarations that change what agents live in; metrics and issues are told with their figures. */
const declarationKind = z
  .enum(declarationKindNames)
  .exclude(['mission', 'capacity', 'without', 'metric', 'issue', 'stage']);
export const snapshotDeclarationKinds = declarationKind.options;

const declaration = z.object({
  kind: declarationKind,
  name: z.string(),
  doc: z.string(),
  text: z.string().describe('EDL'),
  fireRate: z
    .number()
    .nullable()
    .describe('fired / (steps × instances) in the round; null where it cannot fire'),
});

/** With its round it tells the proposals of a run apart. */
const candidate = z
  .int()
  .nullable()
  .default(null)
  .describe(
    'which of the proposals of its round it is, second attempts after all others; null on older records',
  );

const pastChange = z.object({
  round: z.int(),
  candidate,
  provider: z.string(),
  changes: z.array(z.object({ op: z.enum(['add', 'modify', 'remove']), target: z.string() })),
  outcome: z.enum(['accepted', 'edited', 'rejected', 'invalid', 'unparsed', 'waiting']),
  reasons: z.array(z.string()).describe('codes of the validator, or the note of the decision'),
  measured: z
    .object({
      meanDifference: z.number(),
      low: z.number(),
      high: z.number(),
      verdict: z
        .enum(['better', 'notBetter'])
        .nullable()
        .default(null)
        .describe('better: pairs that had no part in choosing it decided for it; null on older records'),
    })
    .nullable()
    .describe(
      'candidate minus control on the objective, 95 % interval; of a text that a person edited only where that text was tried',
    ),
  isInForce: z
    .boolean()
    .default(false)
    .describe(
      'taken over, not rolled back, written as it was decided, and not overtaken by a later change to the same declaration',
    ),
});

const failure = z.object({
  kind: z
    .enum(['compile', 'validation', 'dull', 'training'])
    .describe(
      'compile: no sound answer or no sound EDL; validation: refused on other grounds; dull: it never acts, changes nothing or ' +
        'did no better in its trial; training: training broke down in it',
    ),
  round: z.int(),
  candidate,
  provider: z.string(),
  changes: z.array(z.object({ op: z.enum(['add', 'modify', 'remove']), target: z.string() })),
  why: z.string(),
});

const learnability = z.object({
  episodes: z.int().describe('fixed starts that were followed'),
  evaluations: z.int().describe('last evaluations that it is taken from, at least two'),
  always: z.int().describe('starts solved in each of them'),
  sometimes: z.int(),
  never: z.int(),
  meanVariance: z
    .number()
    .describe('mean of p(1-p) over the starts, p being the share of evaluations that solved it'),
});

const named = z.array(z.object({ name: z.string(), doc: z.string() })).default([]);

const capabilities = z.object({
  parameters: z.array(
    z.object({
      name: z.string(),
      unit: z.string(),
      value: z.number(),
      min: z.number(),
      max: z.number(),
      doc: z.string(),
    }),
  ),
  sets: z.array(
    z.object({ name: z.string(), kind: z.enum(['agent', 'landmark']), size: z.int(), doc: z.string() }),
  ),
  attributes: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['agent', 'landmark']),
      unit: z.string(),
      isWritable: z.boolean(),
      doc: z.string(),
    }),
  ),
  signals: z.array(z.object({ name: z.string(), unit: z.string(), doc: z.string() })),
  relations: named.describe('of one entity to another, as in a.hits(b)'),
  events: named.describe('that an event declaration can bring about'),
  behaviours: named.describe('that an npc declaration can give to agents'),
  metrics: z.array(z.object({ name: z.string(), unit: z.string(), better: z.string(), doc: z.string() })),
});

/**
 * What a coach sees of a run at a round boundary. The published schema: docs/coach/generated/snapshot.schema.json is made
 * from it. Every number in it was measured or declared; nothing is interpreted.
 */
export const snapshotSchema = z.object({
  version: z.literal(1),
  mission: z.string(),
  scenario: z.object({ name: z.string(), title: z.string(), doc: z.string() }),
  stage: z
    .object({ name: z.string(), doc: z.string(), until: z.string().nullable() })
    .nullable()
    .default(null)
    .describe('where the curriculum stands; null without stages'),
  progress: z.object({
    round: z.int(),
    numRounds: z.int(),
    chargedSteps: z.number(),
    budgetSteps: z.number(),
    trialSteps: z.number(),
  }),
  reason: z.object({ trigger: z.enum(['interval', 'plateau', 'issue', 'manual']), detail: z.string() }),
  objective: z.object({
    metric: z.string(),
    group: z.string(),
    better: z.enum(['higher', 'lower']),
    words: z.string(),
    current: z.number(),
    checkpoints: z.array(checkpoint),
  }),
  agents: z.array(
    z.object({
      id: z.string(),
      role: z.string().describe('group'),
      sets: z.array(z.string()).default([]).describe('sets of the scenario it belongs to, beside its group'),
      isScripted: z.boolean(),
      metrics: z.record(z.string(), z.number()),
      components: z.record(z.string(), z.number()),
    }),
  ),
  policies: z.array(
    z.object({
      group: z.string(),
      statistics: z.record(z.string(), z.number()),
      actions: z
        .array(z.object({ action: z.string(), share: z.number() }))
        .default([])
        .describe(
          'what it chose in the last evaluation, greedily, most frequent first; empty on older records',
        ),
    }),
  ),
  learnability: learnability
    .nullable()
    .default(null)
    .describe(
      'how many fixed starts are solved sometimes; null without the metric success, or before two evaluations',
    ),
  components: z.array(component),
  metrics: z.array(
    z.object({
      name: z.string(),
      unit: z.string(),
      better: z.string(),
      doc: z.string(),
      checkpoints: z.array(checkpoint),
    }),
  ),
  issues: z.array(issue),
  declarations: z.array(declaration),
  traps: z
    .array(z.object({ declaration: z.string(), count: z.int() }))
    .describe('rules that computed nonsense'),
  capabilities,
  past: z.array(pastChange),
  failures: z
    .array(failure)
    .default([])
    .describe("what failed of this run's proposals by kind, the last ones first"),
});

export type Snapshot = z.infer<typeof snapshotSchema>;
export type SnapshotCheckpoint = z.infer<typeof checkpoint>;
export type SnapshotIssue = z.infer<typeof issue>;
export type SnapshotComponent = z.infer<typeof component>;
export type SnapshotPastChange = z.infer<typeof pastChange>;
export type SnapshotFailure = z.infer<typeof failure>;
export type SnapshotLearnability = z.infer<typeof learnability>;

/** The schema as JSON Schema (draft 2020-12), for tools outside. */
export function snapshotJsonSchema(): object {
  return z.toJSONSchema(snapshotSchema);
}
