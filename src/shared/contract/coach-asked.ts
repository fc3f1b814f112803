import { z } from 'zod';
import { fileArgument } from './file-argument.ts';

/** Who can be asked by name alone; others need settings that an experiment has. */
export const namedProviders = ['rules', 'random', 'llama', 'learned'] as const;

/** Who is asked outside a run: a coach by name, or that of an experiment's arm. */
export const askedCoach = {
  provider: z.enum(namedProviders).optional().describe('default rules'),
  model: fileArgument('model').optional().describe('GGUF file, for llama; a ranker, for learned'),
  prompt: fileArgument().optional().describe('prompt file; default the shipped one'),
  experiment: fileArgument()
    .optional()
    .describe(
      'experiment file whose coach is asked, with its settings, in place of provider, model and prompt',
    ),
  arm: z.string().optional().describe('arm of the experiment; default the only one with a coach'),
};

const asked = z.object(askedCoach);
export type AskedCoach = z.output<typeof asked>;
