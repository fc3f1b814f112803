import { z } from 'zod';

/**
 * The capability manifest of a scenario: what of it can be observed, set, changed, rewarded and measured.
 * It is declared once in C++ next to the scenario and reaches TypeScript as JSON; counts are resolved for
 * the parameters it was asked with. Completion, prompts, checks and the docs page are generated from it.
 */
const unit = z.enum(['none', 'm', 's', 'steps', 'm/s', 'm/s^2', 'percent', 'deg']);

const parameter = z.strictObject({
  name: z.string().describe('dotted EDL name, e.g. "agent.count"; written in `set`'),
  kind: z.enum(['int', 'float', 'bool']),
  unit,
  default: z.number().describe('booleans are 0 or 1'),
  min: z.number(),
  max: z.number(),
  structural: z
    .boolean()
    .describe('changes shapes: fixed for a study once its first environment is compiled'),
  coach: z.boolean().describe('a coach may change it; topology and physics constants are false'),
  doc: z.string(),
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
});

export type ScenarioManifest = z.infer<typeof scenarioManifest>;
export type ManifestParameter = z.infer<typeof parameter>;
export type ManifestGroup = z.infer<typeof group>;
export type ManifestSet = z.infer<typeof entitySet>;
export type ManifestAttribute = z.infer<typeof attribute>;
export type ManifestSignal = z.infer<typeof signal>;
export type ManifestMetric = z.infer<typeof metric>;
export type Unit = z.infer<typeof unit>;
