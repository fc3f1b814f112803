import { z } from 'zod';
import { frame, frameCast } from '../rl/frame.ts';

/** A stretch of what was recorded of a round, to be looked at (`coach.evidence`). */
export const evidenceExample = z.object({
  round: z.int().nonnegative().describe('whose record it is in'),
  copy: z.int().nonnegative(),
  from: z.int().nonnegative().describe('time of the first step, counted from the first one recorded'),
  to: z.int().nonnegative().describe('time of the last step'),
});
export type EvidenceExample = z.infer<typeof evidenceExample>;

export const validationReason = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']).describe('warning: a doubt, which refuses nothing by itself'),
  message: z.string(),
  evidence: z.record(z.string(), z.number()).describe('counts and figures by name'),
  examples: z.array(evidenceExample),
});
export type ValidationReason = z.infer<typeof validationReason>;

export const validationView = z.object({
  isValid: z.boolean().describe('no reason is an error'),
  reasons: z.array(validationReason),
});
export type ValidationView = z.infer<typeof validationView>;

/** One recorded step, and what an environment makes of it. */
export const evidenceStep = z.object({
  time: z.int(),
  isFirst: z.boolean().describe('an episode begins with it, or the record does'),
  state: z.instanceof(Float32Array).describe('[S] before the step, as recorded'),
  frame: frame.describe('the same, for drawing'),
  actions: z
    .array(z.string())
    .describe('what each agent did, by name; empty: a built-in policy or npc declarations play it'),
  fired: z.record(z.string(), z.number()).describe('instances of each declaration that fired'),
  components: z
    .instanceof(Float32Array)
    .describe(
      '[A,C] what the step paid, before weights and limits; recorded actions are taken on from the first step',
    ),
});
export type EvidenceStep = z.infer<typeof evidenceStep>;

/** A stretch of a round's record, played in the environment that a proposal leads to. */
export const evidenceView = z.object({
  scenario: z.string(),
  cast: frameCast,
  round: z.int(),
  copy: z.int(),
  numCopies: z.int().describe('copies on record'),
  numTimes: z.int().describe('steps on record of each'),
  agents: z.array(z.string()),
  components: z.array(z.string()),
  declarations: z.array(z.string()).describe('"reward crowding", ... that can fire'),
  steps: z.array(evidenceStep),
});
export type EvidenceView = z.infer<typeof evidenceView>;
