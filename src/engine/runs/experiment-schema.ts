import { z } from 'zod';
import { learnerAlgorithms, onPolicyConfig, valueConfig } from '../../shared/rl/learner-config.ts';
import {
  type CoachConfig,
  coachKinds,
  grantableKinds,
  type HttpConfig,
  type LlamaConfig,
  type MemoryConfig,
} from '../coach/config.ts';
import { shapingDefaults } from '../coach/shaping/discipline.ts';

/** What the keys of an experiment file may hold. Meaning and defaults: docs/experiments.md. */

const name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
    'letters, digits, "-", "_" and "." only, at most 64 characters',
  );

/** "25%" or 0.25; `error` says so in the words of the key. */
function shareText(error: string) {
  return z.union([z.number(), z.string().regex(/^\d+(\.\d+)?\s*%$/, error)], { error });
}

const share = shareText('a share such as 25% or 0.25')
  .transform((value) => (typeof value === 'number' ? value : Number.parseFloat(value) / 100))
  .refine(
    (value) => value >= 0 && value < 0.5,
    'must be at least 0 and below 50%: trials may not outweigh training',
  );

const steps = z.int().positive();

/** Settings of all algorithms; which of them an arm's algorithm has is checked once it is known. */
export const learnerBlock = z
  .strictObject({
    ...valueConfig.shape,
    ...onPolicyConfig.shape,
    algorithm: z.enum(learnerAlgorithms, { error: `must be one of ${learnerAlgorithms.join(', ')}` }),
    preset: z.string().min(1),
  })
  .partial();
export type LearnerBlock = z.output<typeof learnerBlock>;

const trigger = z.strictObject({
  interval: z.int().positive().optional(),
  plateau: z.int().min(2).optional(),
  minDelta: z.number().min(0).optional(),
  issue: z.boolean().optional(),
});

const whatif = z.strictObject({
  share: share.optional(),
  seeds: z.int().min(1).max(64).optional(),
  retest: z.int().min(0).max(64).optional(),
  episodes: z.int().min(16).max(1_000_000).optional(),
});

const none = z.literal('none').transform(() => null);

const shareOrNone = 'a share such as 20% or 0.2, or "none"';

/** A part of something, above 0: "20%" or 0.2; `most` as a number. */
function part(most: number) {
  return shareText(shareOrNone)
    .transform((value) => (typeof value === 'number' ? value : Number.parseFloat(value) / 100))
    .refine((value) => value > 0 && value <= most, `must be above 0 and at most ${most * 100}%`);
}

const partOrNone = (most: number) => z.union([none, part(most)], { error: shareOrNone });

const shaping = z.strictObject({
  smoothing: partOrNone(1).optional(),
  freeze: z.union([none, steps], { error: 'a number of steps, or "none"' }).optional(),
  share: partOrNone(10).optional(),
  term: partOrNone(10).optional(),
  ceiling: partOrNone(0.5).optional(),
});

const memory = z.strictObject({
  examples: z.int().min(0).max(8).optional(),
  reuse: partOrNone(1).optional(),
  vectors: z.enum(['auto', 'lexical'], { error: 'must be auto or lexical' }).optional(),
});

const adapter = z.strictObject({
  file: z.string().min(1),
  scale: z
    .number()
    .refine((value) => value !== 0 && Math.abs(value) <= 10, 'must be between -10 and 10, and not 0')
    .optional(),
});

const llama = z.strictObject({
  context: z.int().min(256).max(1_048_576).optional(),
  gpu: z
    .union([z.literal('auto'), z.int().min(0).max(1000)], {
      error: 'must be auto or a number of layers, 0 for none',
    })
    .optional(),
  timeout: z.number().min(1).max(86_400).optional(),
  adapters: z
    .array(adapter)
    .max(8)
    .refine((all) => new Set(all.map(({ file }) => file)).size === all.length, 'every adapter once')
    .optional(),
});

const http = z.strictObject({
  url: z.string().min(1).max(2000).optional(),
  key: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of an environment variable, not a key itself')
    .optional(),
  timeout: z.number().min(1).max(86_400).optional(),
  context: z.int().min(1024).max(10_000_000).optional(),
});

const replay = z.strictObject({ study: z.string().min(1), arm: name.optional() });

export const coachBlock = z.strictObject({
  provider: z.enum(['none', 'rules', 'random', 'llama', 'http', 'learned', 'replay']).optional(),
  model: z.string().min(1).optional(),
  scorer: z.string().min(1).optional(),
  proposing: z.enum(['auto', 'rank', 'generate']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  may: z
    .array(z.enum(grantableKinds, { error: `must be among ${grantableKinds.join(', ')}` }))
    .min(1)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'every kind once')
    .optional(),
  prompt: z.string().min(1).optional(),
  trigger: trigger.optional(),
  mode: z
    .enum(['automatic', 'semi-automatic', 'manual'], {
      error: 'must be one of automatic, semi-automatic, manual',
    })
    .optional(),
  lag: z.int().min(0).max(8).optional(),
  coolDown: z.int().min(0).max(1000).optional(),
  candidates: z.int().min(1).max(16).optional(),
  whatif: whatif.optional(),
  shaping: shaping.optional(),
  memory: z.union([none, memory], { error: 'either "none" or a block of memory settings' }).optional(),
  llama: llama.optional(),
  http: http.optional(),
  replay: replay.optional(),
});
export type CoachBlock = z.output<typeof coachBlock>;

const coach = z.union([z.literal('none'), coachBlock], {
  error: 'either "none" or a block of coach settings',
});
const opponents = z.record(z.string(), z.string());

const arm = z.strictObject({
  name,
  coach: coach.optional(),
  environment: z.string().min(1).optional(),
  learner: learnerBlock.optional(),
});

export const experimentSchema = z.strictObject({
  name,
  environment: z.string().min(1),
  learner: learnerBlock.optional(),
  budget: z.strictObject({ steps, rounds: z.int().min(1).max(1000) }),
  seeds: z
    .array(
      z
        .int()
        .min(0)
        .max(2 ** 31 - 1),
    )
    .min(1)
    .max(1000)
    .refine((seeds) => new Set(seeds).size === seeds.length, 'every seed once'),
  objective: z.strictObject({
    metric: z.string().min(1),
    group: z.string().min(1),
    environment: z.string().min(1).optional(),
    opponents: opponents.optional(),
    better: z.enum(['higher', 'lower']).optional(),
    best: z.number().optional(),
    words: z.string().max(2000).optional(),
  }),
  evaluate: z
    .strictObject({ every: steps.optional(), episodes: z.int().min(1).max(1_000_000).optional() })
    .optional(),
  opponents: opponents.optional(),
  coach: coach.optional(),
  heldOut: z.array(z.string().min(1)).max(32).optional(),
  arms: z
    .array(arm)
    .min(1)
    .max(64)
    .refine(
      // Files of a run are named by its arm, and some file systems do not tell cases apart.
      (arms) => new Set(arms.map((each) => each.name.toLowerCase())).size === arms.length,
      'every arm name once, and not in other cases either',
    )
    .optional(),
});
export type ExperimentFile = z.output<typeof experimentSchema>;

/** Conservative: a plateau of 20 evaluations or an issue that fires; trials take at most a quarter of the budget. */
export const coachDefaults: CoachConfig = Object.freeze({
  provider: 'rules',
  model: null,
  proposing: 'auto',
  temperature: 0.1,
  prompt: null,
  may: coachKinds,
  trigger: { interval: null, plateau: 20, minDelta: 0, issue: true },
  mode: 'automatic',
  lag: 0,
  coolDown: 2,
  candidates: 2,
  whatif: { share: 0.25, seeds: 2, retest: 4, episodes: 2048 },
  shaping: shapingDefaults,
  memory: null,
});

/** Of a `memory` block that leaves them out. */
export const memoryDefaults: MemoryConfig = Object.freeze({ examples: 3, reuse: 0.9, vectors: 'auto' });

/** Of an `http` block that leaves them out. */
export const httpDefaults: HttpConfig = Object.freeze({
  url: null,
  key: null,
  timeout: 300,
  context: 8192,
});

/** Of a `llama` block that leaves them out: as without a block. */
export const llamaDefaults: LlamaConfig = Object.freeze({
  context: null,
  gpu: 'auto',
  timeout: null,
  adapters: [],
});

/** Evaluations per run when the file does not say, and their episodes. */
export const evaluateDefaults = Object.freeze({ perRun: 20, episodes: 256 });
