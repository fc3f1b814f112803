import { z } from 'zod';

/** Key of the one ONNX metadata property that makes a model file a Gymwright policy; its value is JSON. */
export const policyMetadataKey = 'gymwright.policy';

/** Raised when the meaning of the file changes; readers refuse a newer one. */
export const policyFormatVersion = 1;

/** What a policy file says about itself: enough to act with it in any ONNX runtime. */
export const policyMetadata = z.strictObject({
  format: z.int().positive().describe('version of this layout'),
  library: z.string().describe('who wrote it, e.g. "gymwright 0.1.0"'),
  opset: z.int().positive(),
  algorithm: z.string(),
  scenario: z.string(),
  scenarioVersion: z.int().positive(),
  group: z.string(),
  obsDim: z.int().positive(),
  numActions: z.int().positive(),
  actionNames: z.array(z.string()),
  inputs: z
    .strictObject({ obs: z.string(), logitBias: z.string() })
    .describe('names: obs [B,obsDim] f32; logitBias [B,numActions] f32, 0 where legal and -1e9 where not'),
  outputs: z.strictObject({ logProbs: z.string() }).describe('log probabilities [B,numActions] f32'),
  normalisation: z.literal('none').describe('of observations; policies see them raw'),
  actionTransform: z
    .literal('argmax')
    .describe('how logProbs become the greedy action: lowest index wins ties'),
  hidden: z.array(z.int().positive()),
  activation: z.literal('tanh'),
  parameterHash: z.string().describe('SHA-256 of the actor parameters as little-endian f32'),
});

export type PolicyMetadata = z.infer<typeof policyMetadata>;
