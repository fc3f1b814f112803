import { z } from 'zod';
import { unit } from '../../../shared/rl/manifest.ts';
import type { EnvironmentIr } from '../ir.ts';
import { entitySchema, expressionSchema, setSchema, targetSchema } from './expression-schema.ts';

const name = z.string();
const loops = z.array(setSchema).describe('outermost first');
const count = z.int().positive();
const moment = z.strictObject({ op: z.enum(['every', 'at']), steps: z.number() });
const share = z.number().nullable().describe("share of the scenario's nominal return; null: no limit");

const rule = z.strictObject({
  name,
  loops,
  condition: expressionSchema,
  effects: z.array(
    z.strictObject({
      operator: z.enum(['set', 'scale', 'shift']),
      attribute: name,
      target: targetSchema,
      value: expressionSchema,
      isLasting: z.boolean().describe('holds from the next step to the end of the episode'),
    }),
  ),
});

const reward = z.strictObject({
  name,
  loops,
  condition: expressionSchema,
  gifts: z.array(z.strictObject({ target: targetSchema, value: expressionSchema })),
  halfLifeSteps: z.number().describe('0: no decay'),
  limitShare: share,
  isPotential: z.boolean(),
});

const event = z.strictObject({
  name,
  trigger: z.union([moment, z.strictObject({ op: z.literal('when') })]),
  chance: z.number(),
  loops,
  condition: expressionSchema,
  actions: z.array(
    z.strictObject({
      verb: z.enum(['spawn', 'disturb', 'remove']),
      event: name,
      amount: expressionSchema.nullable(),
      target: targetSchema.nullable(),
    }),
  ),
});

const npc = z.strictObject({
  name,
  agents: z.array(name),
  behaviours: z
    .array(
      z.strictObject({
        behaviour: name,
        target: entitySchema.nullable(),
        condition: expressionSchema,
        isOtherwise: z.boolean().describe('done where no condition decides'),
      }),
    )
    .describe('the first whose condition holds'),
});

const constraint = z.strictObject({
  name,
  loops,
  guard: expressionSchema,
  violated: expressionSchema,
  penalty: expressionSchema,
  target: targetSchema.nullable(),
  limitShare: share,
});

const metric = z.strictObject({
  name,
  loops,
  value: expressionSchema,
  unit,
  fold: z.enum(['mean', 'sum', 'min', 'max', 'last']),
  better: z.enum(['higher', 'lower', 'neither']),
});

const issue = z.strictObject({
  name,
  subject: setSchema.nullable(),
  condition: expressionSchema,
  until: expressionSchema.nullable(),
  forEvaluations: count,
});

const regime = z.strictObject({
  name,
  policy: name.nullable(),
  isDefault: z.boolean(),
  isSafe: z.boolean(),
  settings: z.array(z.strictObject({ parameter: name, value: z.number() })),
  rampSteps: z.number(),
  condition: expressionSchema.nullable(),
});

const schedule = z.strictObject({
  start: name.nullable(),
  entries: z.array(
    z.strictObject({
      moment,
      chance: z.number(),
      regimes: z.array(name),
      order: z.enum(['turn', 'random']),
      leave: z.strictObject({ from: z.number(), to: z.number() }).nullable(),
    }),
  ),
});

const stage = z.strictObject({
  name,
  parameters: z.record(name, z.number()),
  until: expressionSchema.nullable(),
  forEvaluations: count,
});

/** The canonical form of an environment as a schema: what `compile().ir` gives satisfies it. */
export const irSchema: z.ZodType<EnvironmentIr> = z
  .strictObject({
    format: z.literal(2),
    scenario: name,
    scenarioVersion: z.int(),
    parameters: z.record(name, z.number()).describe("those that differ from the scenario's defaults"),
    rules: z.array(rule),
    rewards: z.array(reward),
    events: z.array(event),
    npcs: z.array(npc),
    constraints: z.array(constraint),
    metrics: z.array(metric),
    issues: z.array(issue),
    regimes: z.array(regime),
    schedule: schedule.nullable(),
    stages: z.array(stage).describe('in the order of the text'),
    capacities: z.record(name, z.number()),
  })
  .describe('Canonical form of an EDL environment; its hash, with keys sorted, is the identity.');

/** The canonical form as JSON schema. */
export function irJsonSchema(): object {
  return z.toJSONSchema(irSchema);
}
