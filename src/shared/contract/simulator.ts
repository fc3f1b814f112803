import { z } from 'zod';
import { call } from './define.ts';

/** What the simulator does on its own, without a workspace. */
export const simulator = {
  speed: call({
    args: z.object({
      scenario: z.string(),
      text: z.string().optional().describe('EDL text to measure instead of the plain scenario'),
      numEnvs: z.int().min(1).max(1_000_000).default(1024),
      seconds: z.number().min(0.05).max(60).default(2),
    }),
    result: z.object({ stepsPerSecond: z.number(), copies: z.int(), threads: z.int() }),
    errors: ['sim.addonMissing', 'scenario.unknown', 'edl.invalid'],
    doc: 'Env-steps per second with observations, random actions.',
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
    errors: ['sim.addonMissing', 'scenario.unknown', 'input.invalid'],
    doc: "A scripted trajectory from a given initial state, in the simulator's own f64.",
  }),
};
