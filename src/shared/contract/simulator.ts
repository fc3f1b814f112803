import { z } from 'zod';
import { frameCast } from '../rl/frame.ts';
import { packedFrames } from '../rl/packed-frames.ts';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';

/** What the simulator does on its own, without a workspace. */
export const simulator = {
  speed: call({
    args: z.object({
      scenario: z.string(),
      text: z.string().optional().describe('EDL text to measure instead of the plain scenario'),
      path: fileArgument().optional().describe('the file the text stands in'),
      numEnvs: z.int().min(1).max(1_000_000).default(1024),
      seconds: z.number().min(0.05).max(60).default(2),
    }),
    result: z.object({
      stepsPerSecond: z.number(),
      copies: z.int(),
      agents: z.int().describe('of one copy'),
      threads: z.int(),
      program: z
        .object({
          plainStepsPerSecond: z.number().describe('of the scenario alone, under the same parameters'),
          addedNanoseconds: z.number().describe('per env-step'),
          declarations: z.array(
            z.object({
              kind: z.string(),
              name: z.string(),
              instances: z.int(),
              nanoseconds: z.number().describe('of its own instructions, per env-step'),
            }),
          ),
          sharedNanoseconds: z.number().describe('of what declarations share, per env-step'),
        })
        .nullable()
        .describe('what the text adds; null: there is none, or it declares nothing that runs'),
    }),
    errors: [
      'sim.addonMissing',
      'sim.addonMismatch',
      'scenario.badLibrary',
      'scenario.unknown',
      'edl.invalid',
    ],
    doc: 'Env-steps per second with observations, random actions.',
  }),
  libraries: call({
    args: z.object({}),
    result: z.object({
      libraries: z.array(z.object({ path: z.string(), scenarios: z.array(z.string()) })),
    }),
    errors: ['sim.addonMissing', 'sim.addonMismatch', 'scenario.badLibrary'],
    doc: 'Libraries of scenarios that were loaded, and what they added.',
  }),
  check: call({
    args: z.object({ scenario: z.string() }),
    result: z.object({
      name: z.string(),
      version: z.int(),
      numAgents: z.int(),
      steps: z.int().describe('env-steps played with random actions'),
      episodes: z.int(),
      problems: z.array(z.string()).describe('what does not hold; empty: nothing was found'),
    }),
    errors: ['sim.addonMissing', 'sim.addonMismatch', 'scenario.badLibrary', 'scenario.unknown'],
    doc: 'Plays a scenario at random and looks for what no scenario may do.',
  }),
  trace: call({
    args: z.object({
      scenario: z.string(),
      case: z.unknown().describe('{init, agents} of one reference case'),
    }),
    result: z.object({
      steps: z.array(
        z.object({
          pos: z.array(z.array(z.number())),
          vel: z.array(z.array(z.number())),
          reward: z.array(z.number()),
          obs: z.record(z.string(), z.array(z.number())).describe('by agent name'),
        }),
      ),
    }),
    errors: [
      'sim.addonMissing',
      'sim.addonMismatch',
      'scenario.badLibrary',
      'scenario.unknown',
      'input.invalid',
    ],
    doc: "A scripted trajectory from a given initial state, in the simulator's own f64.",
  }),
  describe: call({
    args: z.object({
      scenario: z.string(),
      text: z.string().optional().describe('EDL text to play instead of the plain scenario'),
      path: fileArgument().optional().describe('the file the text stands in'),
      template: z
        .object({ path: fileArgument(), text: z.string() })
        .optional()
        .describe('instead of the one that the workspace or the product has for the scenario'),
      play: z
        .record(z.string(), z.string())
        .default({})
        .describe('group -> built-in policy; others act at random'),
      steps: z.int().min(1).max(1_000_000).optional().describe('default: one episode'),
      every: z.int().min(1).max(1_000_000).default(1).describe('steps between descriptions'),
      seed: z.int().min(0).default(0),
    }),
    result: z.object({
      template: z.string().describe('path of the template'),
      descriptions: z.array(
        z.object({
          episode: z.int(),
          step: z.int().describe('steps taken in the episode'),
          text: z.string(),
          isNew: z.boolean().describe('it differs from the one before it in the episode'),
        }),
      ),
    }),
    errors: [
      'sim.addonMissing',
      'sim.addonMismatch',
      'scenario.badLibrary',
      'scenario.unknown',
      'edl.invalid',
      'input.invalid',
      'input.notFound',
    ],
    doc: 'The state of an environment as short texts along a play.',
  }),
  frames: call({
    args: z.object({
      scenario: z.string(),
      text: z.string().optional().describe('EDL text to play instead of the plain scenario'),
      path: fileArgument().optional().describe('the file the text stands in'),
      play: z
        .record(z.string(), z.string())
        .default({})
        .describe('group -> built-in policy; those that neither it nor a policy plays act at random'),
      policies: z
        .array(fileArgument())
        .default([])
        .describe('paths of .onnx files; each says which group it plays'),
      seed: z.int().min(0).default(0),
      episode: z.int().min(0).default(0).describe('index in the stream of the seed'),
      from: z.int().min(0).default(0).describe('first step; 0 is the beginning'),
      to: z.int().min(0).optional().describe('last step; default: the end of the episode'),
      most: z.int().min(1).optional().describe('frames, evenly chosen; default: every step'),
      ranges: z.boolean().default(false),
      sights: z.boolean().default(false),
    }),
    result: z.object({ cast: frameCast, frames: packedFrames }),
    errors: [
      'sim.addonMissing',
      'sim.addonMismatch',
      'sim.badFrame',
      'scenario.badLibrary',
      'scenario.unknown',
      'edl.invalid',
      'policy.invalid',
      'input.invalid',
      'input.notFound',
    ],
    doc: 'Plays one episode and tells what it looks like, step by step, for drawing.',
  }),
};
