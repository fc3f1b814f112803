import type { ValueConfig } from '../../../shared/rl/learner-config.ts';
import type { LearnerPreset } from './types.ts';

/** PyMARL's settings, over more copies. */
export const qmixDefaults: ValueConfig = Object.freeze({
  algorithm: 'qmix',
  hidden: 64,
  numEnvs: 8,
  numSteps: 32,
  learningRate: 5e-4,
  annealLr: false,
  gamma: 0.99,
  doubleQ: true,
  batchEpisodes: 32,
  bufferEpisodes: 5000,
  learningStarts: 32,
  updatesPerEpisode: 1,
  startE: 1,
  endE: 0.05,
  explorationSteps: 50_000,
  targetNetworkFrequency: 200,
  tau: 0.01,
  tdLambda: 0,
  optimiser: 'rmsprop',
  maxGradNorm: 10,
  mixingEmbed: 32,
  hypernetEmbed: 64,
  rewardScale: 1,
  rewardSum: 'mean',
  standardiseRewards: false,
  bootstrapTruncated: true,
  obsLastAction: true,
  obsAgentId: true,
});

export const vdnDefaults: ValueConfig = Object.freeze({ ...qmixDefaults, algorithm: 'vdn' });

export const valuePresets: Readonly<Record<string, LearnerPreset>> = {
  'qmix-pymarl': {
    source:
      'PyMARL, QMIX: RMSprop, 32 episodes of 5,000, targets copied every 200 episodes, ε over 50,000 steps.',
    config: qmixDefaults,
  },
  'vdn-pymarl': { source: 'PyMARL, VDN: as qmix-pymarl without a mixer.', config: vdnDefaults },
};
