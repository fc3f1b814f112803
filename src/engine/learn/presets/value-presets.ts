import type { ValueConfig } from '../../../shared/rl/learner-config.ts';
import type { LearnerPreset } from './types.ts';

/** PyMARL's settings: what most published QMIX results were made with. */
const pymarl: ValueConfig = Object.freeze({
  algorithm: 'qmix',
  hidden: 64,
  recurrent: true,
  numEnvs: 8,
  numSteps: 32,
  learningRate: 5e-4,
  annealLr: false,
  gamma: 0.99,
  doubleQ: true,
  batchEpisodes: 32,
  bufferEpisodes: 5000,
  evictShare: 0.5,
  relabel: true,
  learningStarts: 32,
  updatesPerEpisode: 1,
  startE: 1,
  endE: 0.05,
  explorationSteps: 50_000,
  targetNetworkFrequency: 200,
  targetUnit: 'episodes',
  tau: 0.01,
  tdLambda: 0,
  optimiser: 'rmsprop',
  maxGradNorm: 10,
  mixingEmbed: 32,
  hypernetEmbed: 64,
  stateNorm: false,
  rewardScale: 1,
  rewardSum: 'mean',
  standardiseRewards: false,
  dropInactive: false,
  bootstrapTruncated: false,
  obsLastAction: true,
  obsAgentId: true,
});

/** PyMARL's, with time-outs valued, the state normalised and Adam: a start for worlds that are not StarCraft. */
export const qmixDefaults: ValueConfig = Object.freeze({
  ...pymarl,
  numEnvs: 32,
  updatesPerEpisode: 0.25,
  optimiser: 'adam',
  stateNorm: true,
  bootstrapTruncated: true,
});

export const vdnDefaults: ValueConfig = Object.freeze({
  ...qmixDefaults,
  algorithm: 'vdn',
  stateNorm: false,
});

/** PyMARL2: Adam, λ-returns, four times the batch. */
const pymarl2: ValueConfig = {
  ...pymarl,
  learningRate: 1e-3,
  optimiser: 'adam',
  batchEpisodes: 128,
  learningStarts: 128,
  updatesPerEpisode: 0.125,
  explorationSteps: 100_000,
  tdLambda: 0.6,
};

/** EPyMARL on Gym-like tasks: no memory, standardised sums of rewards, targets copied by gradient steps. */
const epymarl: ValueConfig = {
  ...pymarl,
  recurrent: false,
  optimiser: 'adam',
  targetUnit: 'updates',
  rewardSum: 'sum',
  standardiseRewards: true,
  obsLastAction: false,
};

/** JaxMARL's recurrent Q-learning on SMAX. */
const smax: ValueConfig = {
  ...pymarl,
  hidden: 512,
  numEnvs: 16,
  numSteps: 128,
  learningRate: 5e-5,
  optimiser: 'adam',
  updatesPerEpisode: 0.125,
  explorationSteps: 1_000_000,
  targetNetworkFrequency: 80,
  targetUnit: 'updates',
  mixingEmbed: 64,
  hypernetEmbed: 256,
  stateNorm: true,
  rewardScale: 10,
  obsLastAction: false,
};

/** JaxMARL's recurrent Q-learning on MPE. */
const jaxMpe: ValueConfig = {
  ...pymarl,
  numEnvs: 8,
  numSteps: 26,
  learningRate: 5e-3,
  annealLr: true,
  gamma: 0.9,
  optimiser: 'adam',
  maxGradNorm: 25,
  learningStarts: 385,
  updatesPerEpisode: 0.125,
  explorationSteps: 1_000_000,
  targetUnit: 'updates',
  hypernetEmbed: 128,
  rewardSum: 'sum',
  obsLastAction: false,
};

/**
 * Small networks, few gradient steps, long returns: what learns 3m within minutes on one core. Time-outs count as ends: valued by what
 * would follow, a battle that is put off keeps its worth, and on 2s3z teams learned to keep away for good.
 */
const skirmish: ValueConfig = {
  ...pymarl,
  numEnvs: 32,
  learningRate: 1e-3,
  optimiser: 'adam',
  updatesPerEpisode: 0.125,
  tdLambda: 0.6,
  stateNorm: true,
};

const vdn = (config: ValueConfig): ValueConfig => ({ ...config, algorithm: 'vdn', stateNorm: false });

export const valuePresets: Readonly<Record<string, LearnerPreset>> = {
  'qmix-pymarl': {
    source:
      'PyMARL, QMIX: RMSprop, 32 of 5,000 episodes, one gradient step per episode, targets copied every 200 episodes, ε over ' +
      '50,000 env-steps, time-outs terminal. There one copy plays; here eight.',
    config: pymarl,
  },
  'vdn-pymarl': { source: 'PyMARL, VDN: as qmix-pymarl with the sum for a mixer.', config: vdn(pymarl) },
  'qmix-pymarl2': {
    source:
      'PyMARL2, QMIX: Adam, 128 episodes a batch, TD(0.6), one gradient step per 8 episodes, ε over 100,000 env-steps. There the ' +
      "loss is half the squared error, so that gradients are clipped at twice this norm, and Adam's ε is 1e-8; here 1e-5.",
    config: pymarl2,
  },
  'vdn-pymarl2': {
    source: 'PyMARL2, VDN: as qmix-pymarl2 with λ = 1.',
    config: { ...vdn(pymarl2), tdLambda: 1 },
  },
  'qmix-epymarl': {
    source:
      'EPyMARL, QMIX on Gym-like tasks: no memory, summed and standardised rewards, targets copied every 200 gradient steps. ' +
      "There padding enters the statistics of rewards and Adam's ε is 1e-8; here it does not, and ε is 1e-5.",
    config: epymarl,
  },
  'vdn-epymarl': { source: 'EPyMARL, VDN: as qmix-epymarl.', config: vdn(epymarl) },
  'qmix-skirmish': {
    source:
      'Measured here on skirmish 3m and 2s3z (docs/learners/results.md): PyMARL with Adam at 1e-3, TD(0.6), one gradient step per 8 ' +
      'episodes of 32 copies, the state normalised.',
    config: skirmish,
  },
  'vdn-skirmish': { source: 'As qmix-skirmish with the sum for a mixer.', config: vdn(skirmish) },
  'qmix-smax': {
    source:
      'JaxMARL, QMIX RNN on SMAX: 512 units, mixer 64, hypernet 256, rewards × 10, 8 epochs per 16 × 128 env-steps and targets ' +
      'copied every 10 of those. Gradient steps here follow finished episodes, targets every 80 of them; the state is normalised. ' +
      'There the optimiser is RAdam, weights start orthogonal, and rollouts of 128 steps are cut where they end; here whole episodes.',
    config: smax,
  },
  'vdn-smax': { source: 'JaxMARL, VDN RNN on SMAX: as qmix-smax.', config: vdn(smax) },
  'qmix-mpe': {
    source:
      'JaxMARL, QMIX RNN on MPE: rate 5e-3 falling, γ 0.9, gradient norm 25, hypernet 128, learning starts after 10,000 env-steps. ' +
      'There the mixer starts at a thousandth of the usual scale, other weights orthogonal, and the optimiser is RAdam.',
    config: jaxMpe,
  },
  'vdn-mpe': { source: 'JaxMARL, VDN RNN on MPE: as qmix-mpe.', config: vdn(jaxMpe) },
};
