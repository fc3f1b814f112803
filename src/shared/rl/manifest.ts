import { z } from 'zod';

/**
 * The capability manifest of a scenario: what of it can be observed, set, changed, rewarded and measured.
 * It is declared once in C++ next to the scenario and reaches TypeScript as JSON; counts are resolved for
 * the parameters it was asked with. Completion, prompts, checks and the docs page are generated from it.
 */
export const unit = z.enum(['none', 'm', 's', 'steps', 'm/s', 'm/s^2', 'percent', 'deg']);

const parameter = z.strictObject({
  name: z.string().describe('dotted EDL name, e.g. "agent.count"; written in `set`'),
  kind: z.enum(['int', 'float', 'bool', 'choice']),
  unit,
  default: z.number().describe('booleans are 0 or 1; a choice is an index'),
  min: z.number(),
  max: z.number(),
  structural: z
    .boolean()
    .describe('changes shapes: fixed for a study once its first environment is compiled'),
  coach: z.boolean().describe('a coach may change it; topology and physics constants are false'),
  doc: z.string(),
  live: z
    .strictObject({
      attribute: z.string(),
      set: z.string(),
      mode: z
        .enum(['value', 'count'])
        .describe(
          'value: base of the attribute of every member; count: the attribute of member i is 1 for i < count',
        ),
    })
    .nullable()
    .default(null)
    .describe('how a regime may set it while an episode runs; null: only before one'),
  choices: z
    .array(z.string())
    .default([])
    .describe('names that a choice is among, e.g. "3m"; empty for other kinds'),
  playedBy: z
    .strictObject({ group: z.string(), policy: z.string() })
    .nullable()
    .default(null)
    .describe('only built-in play goes by it: that of the group under the policy; null: everybody does'),
  awaits: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'word with which an environment brings into play what it is of; null: it always makes a difference',
    ),
  reach: z
    .number()
    .nullable()
    .default(null)
    .describe('values above it usually make no more difference than it does; null: every value is another'),
  standsFor: z
    .number()
    .nullable()
    .default(null)
    .describe('value that the default comes to here, e.g. what a map says; null: it is one of its own'),
});

const group = z.strictObject({
  name: z.string().describe('EDL set and learner group, e.g. "agent" or "adversary"'),
  agents: z.array(z.string()).describe('names in index order, e.g. "adversary_0"'),
  firstAgent: z.int().nonnegative(),
  obsDim: z.int().positive(),
  numActions: z.int().positive(),
  actionNames: z.array(z.string()),
  continuousDim: z.int().nonnegative(),
  scripted: z.array(z.string()).describe('names of built-in policies that can play this group'),
  defaultScripted: z
    .string()
    .nullable()
    .default(null)
    .describe('the built-in policy that plays the group where nobody says who does; null: it learns'),
});

const entitySet = z.strictObject({
  name: z.string(),
  kind: z.enum(['agent', 'landmark']),
  entities: z.array(z.int().nonnegative()).describe('world entity indices; for a dynamic set the candidates'),
  dynamic: z.boolean().describe('membership (of size 1) depends on the state, e.g. the goal landmark'),
  doc: z.string(),
});

const attribute = z.strictObject({
  name: z.string().describe('EDL name after the dot, e.g. "accel"'),
  kind: z.enum(['agent', 'landmark']),
  id: z.int().nonnegative().describe('operand of LOAD / LOADX / EFFECT_* in the bytecode'),
  unit,
  min: z.number(),
  max: z.number(),
  writable: z.boolean().describe('a rule may change it for the step'),
  doc: z.string(),
  of: z.array(z.string()).default([]).describe('sets to which it applies; empty: every entity of the kind'),
  nominal: z
    .boolean()
    .default(false)
    .describe('min and max say where values usually lie; nothing holds them there'),
});

const signal = z.strictObject({
  name: z.string(),
  id: z.int().nonnegative(),
  unit,
  min: z.number(),
  max: z.number(),
  doc: z.string(),
});

const metric = z.strictObject({
  name: z.string(),
  unit,
  perAgent: z.boolean(),
  better: z.enum(['higher', 'lower', 'neither']),
  min: z.number(),
  max: z.number(),
  doc: z.string().describe('the written definition'),
});

const anyEntityKind = z.enum(['agent', 'landmark', 'any']);
const targetKind = z.enum(['none', 'agent', 'landmark', 'any']);

const relation = z.strictObject({
  name: z.string().describe('EDL method, e.g. "sees": a.sees(b)'),
  id: z.int().nonnegative(),
  kind: z.enum(['number', 'boolean']),
  from: z.enum(['agent', 'landmark']),
  to: anyEntityKind,
  unit,
  doc: z.string(),
  towards: z
    .array(z.string())
    .default([])
    .describe(
      'to whom it can hold: "ally", "opponent" (of the same group or not), sets; empty: all of the kind',
    ),
});

const event = z.strictObject({
  name: z.string(),
  id: z.int().nonnegative(),
  verb: z.enum(['spawn', 'disturb', 'remove']),
  target: targetKind,
  placed: z.boolean().describe('takes a place: `at random` or `at ENTITY`'),
  amount: z
    .strictObject({ unit, min: z.number(), max: z.number(), default: z.number() })
    .nullable()
    .describe('the number it takes; null: none'),
  doc: z.string(),
});

const behaviour = z.strictObject({
  name: z.string().describe('NPC primitive, e.g. "chase"'),
  id: z.int().nonnegative(),
  target: targetKind,
  doc: z.string(),
});

const capacity = z.strictObject({
  set: z.string(),
  count: z.string().describe('parameter: how many members take part'),
  capacity: z.string().describe('parameter: for how many the shapes are laid out; 0 = as many as the count'),
});

export const scenarioManifest = z.strictObject({
  name: z.string(),
  version: z.int().positive().describe('part of every environment identity; raised when dynamics change'),
  title: z.string(),
  doc: z.string(),
  numAgents: z.int().positive(),
  obsDim: z.int().positive().describe('O: widest agent; narrower agents are zero-padded'),
  stateDim: z.int().positive(),
  numActions: z.int().positive(),
  continuousDim: z.int().nonnegative(),
  episodeLength: z.int().positive().describe('steps until truncation under the given parameters'),
  stepSeconds: z
    .number()
    .positive()
    .default(0.1)
    .describe('simulated seconds per step; EDL converts between s and steps with it'),
  parameters: z.array(parameter),
  groups: z.array(group),
  sets: z.array(entitySet),
  attributes: z.array(attribute),
  signals: z.array(signal),
  components: z
    .array(z.strictObject({ name: z.string(), doc: z.string() }))
    .describe('base reward components, in output order'),
  nominalReturn: z
    .number()
    .positive()
    .describe('|episode return| per agent that limits of shaping refer to; see doc'),
  metrics: z.array(metric).describe('episode metrics in output order'),
  relations: z.array(relation).default([]).describe('questions about two entities'),
  events: z.array(event).default([]).describe('what can be made to happen'),
  behaviours: z.array(behaviour).default([]).describe('what a non-player agent can do'),
  capacities: z.array(capacity).default([]).describe('sets whose size may change within a capacity'),
  presence: z
    .strictObject({ agent: z.string().nullable(), landmark: z.string().nullable() })
    .default({ agent: null, landmark: null })
    .describe('attributes that are 1 while an entity takes part; null: all always do'),
});

export type ScenarioManifest = z.infer<typeof scenarioManifest>;
export type ManifestParameter = z.infer<typeof parameter>;
export type ManifestGroup = z.infer<typeof group>;
export type ManifestSet = z.infer<typeof entitySet>;
export type ManifestAttribute = z.infer<typeof attribute>;
export type ManifestSignal = z.infer<typeof signal>;
export type ManifestMetric = z.infer<typeof metric>;
export type ManifestRelation = z.infer<typeof relation>;
export type ManifestEvent = z.infer<typeof event>;
export type ManifestBehaviour = z.infer<typeof behaviour>;
export type ManifestCapacity = z.infer<typeof capacity>;
export type Unit = z.infer<typeof unit>;
