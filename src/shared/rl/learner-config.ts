import { z } from 'zod';
import type { Discounting } from './vec-env.ts';

/**
 * Hyperparameters of every learner, in CleanRL's names where it has them. One table per family: what an experiment may
 * say, what a learner checks and what the types are all come from here. Defaults and presets: engine/learn/presets.
 */

const share = z.number().min(0).max(1);
const positive = z.number().gt(0);

/** What any learner needs. E·T env-steps make an iteration, the unit between two messages, evaluations or checkpoints. */
const common = {
  // Wider layers begin with minutes of making their weights orthogonal.
  hidden: z
    .int()
    .min(1)
    .max(1024)
    .describe('width of the hidden layers, and of the memory of recurrent networks'),
  numEnvs: z.int().min(1).max(65_536).describe('copies of the environment, E'),
  numSteps: z.int().min(1).max(65_536).describe('env-steps per copy and iteration, T'),
  learningRate: positive.max(1).describe('step size of the optimiser'),
  annealLr: z.boolean().describe("the learning rate falls linearly to 0 over the run's budget"),
  gamma: share.describe('discount per step'),
  maxGradNorm: positive.max(1e6).describe('gradients are scaled down to this global norm'),
  bootstrapTruncated: z
    .boolean()
    .describe(
      'a time-out is valued by its last observation and state; false: it counts as the end, as some references have it, for potentials, too',
    ),
} as const;

/** PPO, IPPO and MAPPO: one family, told apart by who learns and by what the critic sees. */
export const onPolicyConfig = z.strictObject({
  algorithm: z.enum(['ppo', 'ippo', 'mappo']),
  ...common,
  activation: z.enum(['tanh', 'relu']).describe('of the hidden layers'),
  layerNorm: z.boolean().describe('layer normalisation of the input and after every hidden layer'),
  critic: z
    .enum(['observation', 'state', 'state+agent'])
    .describe(
      "what the critic sees: the agent's own observation, the global state, or that and which agent of the group it is",
    ),
  stateNorm: z
    .boolean()
    .describe("the critic's state is brought to mean 0, deviation 1 by running statistics"),
  recurrent: z.boolean().describe('a GRU layer in place of the second hidden layer, in actor and critic'),
  chunkLength: z
    .int()
    .min(1)
    .max(1024)
    .describe('steps through which gradients of a recurrent network flow; divides numSteps'),
  updateEpochs: z.int().min(1).max(1000).describe('passes over the rollout per iteration'),
  minibatchSize: z
    .int()
    .min(2)
    .max(1_000_000)
    .describe(
      'most rows (copy × step × agent of one group) per gradient step; the rollout is cut into as few even parts as that allows',
    ),
  gaeLambda: share.describe('weight of longer returns in the advantage'),
  clipCoef: positive.max(1).describe('probability ratios are clipped to 1 ± this'),
  clipVloss: z
    .boolean()
    .describe('values may move at most clipCoef (in critic units) from those of the rollout, as ratios may'),
  huberDelta: positive
    .max(1e6)
    .nullable()
    .describe('error (in critic units) beyond which the value loss grows linearly; null: squared throughout'),
  entCoef: z.number().min(0).max(10).describe('weight of the entropy bonus'),
  vfCoef: z.number().min(0).max(100).describe('weight of the value loss'),
  normAdv: z.boolean().describe('advantages of a minibatch are brought to mean 0 and deviation 1'),
  valueNorm: z
    .boolean()
    .describe('the critic predicts returns normalised by their running mean and deviation'),
});

/** VDN and QMIX: off-policy, all agents that learn as one team, a network per group. */
export const valueConfig = z.strictObject({
  algorithm: z.enum(['vdn', 'qmix']),
  ...common,
  recurrent: z.boolean().describe('the second hidden layer is a GRU, which remembers the episode so far'),
  doubleQ: z.boolean().describe("the online network chooses the target's actions"),
  batchEpisodes: z.int().min(1).max(4096).describe('episodes per gradient step, drawn without replacement'),
  bufferEpisodes: z.int().min(1).max(1_000_000).describe('episodes the replay keeps, the oldest go first'),
  evictShare: share.describe(
    'share of the replay, the oldest first, that is forgotten when the rules of the world change; what is only paid otherwise is ' +
      'valued anew',
  ),
  relabel: z
    .boolean()
    .describe(
      'replayed steps are paid by the written rewards and weights in force; false: as they were when they were played',
    ),
  learningStarts: z
    .int()
    .min(0)
    .max(1e9)
    .describe('episodes in the replay before the first gradient step; never fewer than batchEpisodes'),
  updatesPerEpisode: positive
    .max(1000)
    .describe('gradient steps per finished episode; fractions are carried over'),
  startE: share.describe('share of random actions at the start'),
  endE: share.describe('share of random actions after explorationSteps'),
  explorationSteps: z.int().min(1).max(1e12).describe('env-steps over which that share falls linearly'),
  targetNetworkFrequency: z
    .int()
    .min(0)
    .max(1e9)
    .describe('targetUnit between copies into the target networks; 0: they follow by tau instead'),
  targetUnit: z
    .enum(['episodes', 'updates'])
    .describe('what targetNetworkFrequency counts: finished episodes (PyMARL) or gradient steps (EPyMARL)'),
  tau: share.describe(
    'share of the online weights taken into the target per gradient step, where targetNetworkFrequency is 0',
  ),
  tdLambda: share.describe('weight of longer returns in the target; 0: one step'),
  optimiser: z.enum(['adam', 'rmsprop']),
  mixingEmbed: z.int().min(1).max(4096).describe('width of the mixing network (QMIX)'),
  hypernetEmbed: z
    .int()
    .min(0)
    .max(4096)
    .describe('hidden width of its weight generators; 0: they are linear (QMIX)'),
  stateNorm: z
    .boolean()
    .describe("the mixer's state is brought to mean 0, deviation 1 by running statistics (QMIX)"),
  rewardScale: positive.max(1e6).describe('team rewards are multiplied by this'),
  rewardSum: z.enum(['mean', 'sum']).describe("how the agents' rewards become the team's"),
  standardiseRewards: z
    .boolean()
    .describe(
      'team rewards are brought to mean 0 and deviation 1 by running statistics over the batches drawn, padding left out',
    ),
  dropInactive: z
    .boolean()
    .describe(
      'agents that cannot act (dead, absent) count 0 in the mix; false: by the Q of their one legal action, as in PyMARL',
    ),
  obsLastAction: z.boolean().describe('networks see the last action of their agent'),
  obsAgentId: z.boolean().describe('networks see which agent of the group they act for'),
});

export const learnerConfig = z.discriminatedUnion('algorithm', [onPolicyConfig, valueConfig]);

export type OnPolicyConfig = Readonly<z.infer<typeof onPolicyConfig>>;
export type ValueConfig = Readonly<z.infer<typeof valueConfig>>;

/** What a learner is told, told apart by `algorithm`. */
export type LearnerConfig = OnPolicyConfig | ValueConfig;

export type LearnerAlgorithm = LearnerConfig['algorithm'];

export const learnerAlgorithms: readonly LearnerAlgorithm[] = ['ppo', 'ippo', 'mappo', 'vdn', 'qmix'];

export function isOnPolicy(config: LearnerConfig): config is OnPolicyConfig {
  return onPolicyConfig.shape.algorithm.safeParse(config.algorithm).success;
}

/** What potentials have to know of it. */
export function discountingOf({
  gamma,
  bootstrapTruncated,
}: Pick<LearnerConfig, 'gamma' | 'bootstrapTruncated'>): Discounting {
  return { gamma, truncationEnds: !bootstrapTruncated };
}

/** Env-steps per iteration, E × T. */
export function stepsPerIteration({
  numEnvs,
  numSteps,
}: Pick<LearnerConfig, 'numEnvs' | 'numSteps'>): number {
  return numEnvs * numSteps;
}

/** The settings that an algorithm has, `algorithm` included. */
export function settingsOf(algorithm: LearnerAlgorithm): Readonly<Record<string, z.ZodType>> {
  return onPolicyConfig.shape.algorithm.safeParse(algorithm).success
    ? onPolicyConfig.shape
    : valueConfig.shape;
}
