import { z } from 'zod';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';

export const modelInfo = z.object({
  path: z.string(),
  name: z.string(),
  architecture: z.string(),
  parameters: z.number().nullable(),
  sizeBytes: z.number(),
  contextLength: z.number().nullable(),
  quantization: z.string().nullable(),
  sha256: z.string().nullable(),
  memoryEstimateBytes: z.number().nullable().describe('the parts of `memory` together'),
  memory: z
    .object({
      contextTokens: z.int(),
      weightsBytes: z.number(),
      cacheBytes: z.number(),
      workBytes: z.number(),
      availableBytes: z.number().describe('free on this machine now'),
    })
    .optional(),
  mode: z.enum(['rank', 'generate']).describe('default for its size: below 1B rank, else generate'),
});
export type ModelInfo = z.infer<typeof modelInfo>;

export const models = {
  list: call({
    args: z.object({}),
    result: z.array(z.object({ path: z.string(), sizeBytes: z.number() })),
    errors: [],
    doc: 'GGUF files of the workspace.',
  }),
  inspect: call({
    args: z.object({
      path: fileArgument('model'),
      contextTokens: z.int().min(256).optional().describe('the context that memory is estimated for'),
    }),
    result: modelInfo,
    errors: ['input.invalid', 'model.notFound', 'model.invalid'],
    doc: 'Header of a GGUF file, without loading it.',
  }),
  test: call({
    args: z.object({
      path: fileArgument('model'),
      prompt: z.string().default('The agents should spread out because'),
    }),
    result: z.object({
      model: modelInfo,
      output: z.string(),
      promptTokens: z.int(),
      outputTokens: z.int(),
      loadMs: z.number(),
      generateMs: z.number(),
    }),
    errors: [
      'model.notFound',
      'model.invalid',
      'model.outOfMemory',
      'model.contextOverflow',
      'model.timeout',
      'model.busy',
      'modelHost.died',
    ],
    doc: 'Loads a model and lets it continue a text: does it run here, and how fast.',
  }),
  status: call({
    args: z.object({}),
    result: z.object({
      state: z.enum(['absent', 'loading', 'ready', 'busy', 'failed']),
      path: z.string().nullable(),
      message: z.string(),
    }),
    errors: [],
    doc: 'The model host.',
  }),
};
