import { z } from 'zod';

/** What a model was loaded with. */
export const modelSetup = z.object({
  modelSha256: z.string().describe("of the model's file alone; `modelHash` is over its adapters, too"),
  contextTokens: z.int(),
  gpu: z.string().nullable().describe('interface to the graphics card; null where none was used'),
  gpuLayers: z.int(),
  threads: z.int(),
  adapters: z.array(z.object({ file: z.string(), sha256: z.string(), scale: z.number() })),
});
export type ModelSetup = z.infer<typeof modelSetup>;
