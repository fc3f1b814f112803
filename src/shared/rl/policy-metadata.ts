import { z } from 'zod';

/** Key of the one ONNX metadata property that makes a model file a Gymwright policy; its value is JSON. */
export const policyMetadataKey = 'gymwright.policy';

/** Raised when the meaning of the file changes; readers refuse a newer one and still read older ones. */
export const policyFormatVersion = 2;

const identity = {
  library: z.string().describe('who wrote it, e.g. "gymwright 0.1.0"'),
  opset: z.int().positive(),
  algorithm: z.string(),
  scenario: z.string(),
  scenarioVersion: z.int().positive(),
  group: z.string(),
  obsDim: z.int().positive(),
  numActions: z.int().positive(),
  actionNames: z.array(z.string()),
} as const;

const parameterHash = z.string().describe("SHA-256 of the network's parameters as little-endian f32");

/** What networks may see beside the observation, in the order in which it is appended. */
export const policyExtras = z.enum(['lastAction', 'agentId']);
export type PolicyExtra = z.infer<typeof policyExtras>;

/** What a policy file says about itself: enough to act with it in any ONNX runtime. */
export const policyMetadata = z.strictObject({
  format: z.literal(2).describe('version of this layout'),
  ...identity,
  extras: z
    .array(policyExtras)
    .describe(
      "appended to the observation in this order: lastAction one-hot [numActions], zeros at an episode's start; agentId " +
        'one-hot [numAgents], the place among the agents of the group',
    ),
  numAgents: z.int().positive().describe('agents of the group it was trained for'),
  hiddenDim: z.int().nonnegative().describe("width of the memory, zeros at an episode's start; 0: none"),
  inputs: z
    .strictObject({ obs: z.string(), logitBias: z.string().nullable(), hidden: z.string().nullable() })
    .describe(
      'names: obs [B,obsDim + extras] f32; logitBias [B,numActions] f32, 0 where legal and -1e9 where not, null: the ' +
        'graph takes none; hidden [B,hiddenDim] f32, null: none',
    ),
  outputs: z
    .strictObject({ scores: z.string(), nextHidden: z.string().nullable() })
    .describe('names: scores [B,numActions] f32; nextHidden [B,hiddenDim] f32, null: none'),
  scoreKind: z.enum(['logProbs', 'qValues', 'other']).describe('what scores are'),
  normalisation: z.literal('none').describe('of observations; policies see them raw'),
  actionTransform: z
    .literal('argmax')
    .describe('how scores become the greedy action: the best legal one, lowest index wins ties'),
  layers: z
    .array(z.string())
    .describe('the network in words, e.g. "linear 64 tanh", "gru 64"; empty: unknown'),
  parameterHash,
});

export type PolicyMetadata = z.infer<typeof policyMetadata>;

/** Format 1: feed-forward actors that see their observation alone. */
export const policyMetadata1 = z.strictObject({
  format: z.literal(1),
  ...identity,
  inputs: z.strictObject({ obs: z.string(), logitBias: z.string() }),
  outputs: z.strictObject({ logProbs: z.string() }),
  normalisation: z.literal('none'),
  actionTransform: z.literal('argmax'),
  hidden: z.array(z.int().positive()),
  activation: z.literal('tanh'),
  parameterHash,
});

/** Format 1 as what it means in format 2. */
export function upgradePolicyMetadata({
  hidden,
  activation,
  inputs,
  outputs,
  ...rest
}: z.infer<typeof policyMetadata1>): PolicyMetadata {
  return {
    ...rest,
    format: 2,
    extras: [],
    numAgents: 1,
    hiddenDim: 0,
    inputs: { ...inputs, hidden: null },
    outputs: { scores: outputs.logProbs, nextHidden: null },
    scoreKind: 'logProbs',
    layers: hidden.map((width) => `linear ${width} ${activation}`),
  };
}

/** Width of the graph's observation input. */
export function policyInputWidth({
  obsDim,
  numActions,
  numAgents,
  extras,
}: Pick<PolicyMetadata, 'obsDim' | 'numActions' | 'numAgents' | 'extras'>): number {
  const widths: Record<PolicyExtra, number> = { lastAction: numActions, agentId: numAgents };
  return extras.reduce((sum, extra) => sum + widths[extra], obsDim);
}
