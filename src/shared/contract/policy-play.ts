import { z } from 'zod';
import { frameCast } from '../rl/frame.ts';
import { packedFrames } from '../rl/packed-frames.ts';

/** What of a run can be watched: policies that were exported, and environments to play them in. */
export const playableView = z.object({
  runId: z.string(),
  policies: z
    .array(
      z.object({
        round: z.int().describe('that they were exported after'),
        groups: z.array(z.string()),
        chargedSteps: z.number().nullable(),
        objective: z.number().nullable().describe('their score on the objective environment'),
      }),
    )
    .describe('latest first; those of one round play together'),
  training: z
    .array(z.object({ from: z.int().describe('round'), to: z.int() }))
    .describe('different environments that it trained in, by rounds; the last one is in force'),
  objective: z
    .string()
    .nullable()
    .describe("the objective's environment: a file of the workspace, or a scenario; null: not on record"),
});
export type PlayableView = z.infer<typeof playableView>;

/** One step of an episode as it was played. */
export const playedStep = z.object({
  actions: z
    .array(z.string())
    .describe('what each agent did, by name; empty: a built-in policy or npc declarations play it'),
  fired: z.record(z.string(), z.number()).describe('instances of each declaration that fired'),
});
export type PlayedStep = z.infer<typeof playedStep>;

/** An episode of a run's policies, with the figures that an evaluation has of it. */
export const policyPlayView = z.object({
  runId: z.string(),
  round: z.int().describe('of the policies'),
  policies: z.array(z.object({ group: z.string(), policyId: z.string(), sha256: z.string() })),
  environment: z.object({
    kind: z.enum(['training', 'objective']),
    round: z.int().nullable().describe('that it was trained in; null for the objective'),
    identity: z.string(),
  }),
  seed: z.string().describe('of the stream, decimal'),
  episode: z.int(),
  cast: frameCast,
  agents: z.array(z.string()),
  components: z.array(z.string()),
  frames: packedFrames.describe('before each step, and what the last one came to'),
  steps: z.array(playedStep),
  paid: z.instanceof(Float32Array).describe('[T,A,C] by each step, before weights and limits'),
  ending: z
    .enum(['terminated', 'truncated', 'trapped'])
    .describe('trapped: a declaration computed an undefined value'),
  groups: z.array(
    z.object({
      group: z.string(),
      player: z.string().describe('"policy", or the built-in policy or "npc" that plays it'),
      episodeReturn: z.number().describe('mean over its agents, base reward'),
      metrics: z.array(z.object({ name: z.string(), unit: z.string(), value: z.number() })),
    }),
  ),
});
export type PolicyPlayView = z.infer<typeof policyPlayView>;
