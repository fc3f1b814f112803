import type { OnPolicyConfig } from '../../../shared/rl/learner-config.ts';
import type { LearnerPreset } from './types.ts';

/** Settings that solve `simple_spread` on five of five seeds (docs/learners/ippo.md); a start for the rest. */
export const ippoDefaults: OnPolicyConfig = Object.freeze({
  algorithm: 'ippo',
  hidden: 64,
  activation: 'tanh',
  layerNorm: false,
  critic: 'observation',
  stateNorm: false,
  recurrent: false,
  chunkLength: 5,
  numEnvs: 256,
  numSteps: 25,
  updateEpochs: 4,
  minibatchSize: 4096,
  learningRate: 1e-3,
  annealLr: false,
  gamma: 0.95,
  gaeLambda: 0.95,
  clipCoef: 0.2,
  clipVloss: false,
  huberDelta: null,
  entCoef: 0.01,
  vfCoef: 0.5,
  maxGradNorm: 0.5,
  normAdv: true,
  valueNorm: true,
  bootstrapTruncated: true,
});

export const ppoDefaults: OnPolicyConfig = Object.freeze({ ...ippoDefaults, algorithm: 'ppo' });

export const mappoDefaults: OnPolicyConfig = Object.freeze({
  ...ippoDefaults,
  algorithm: 'mappo',
  critic: 'state+agent',
  stateNorm: true,
});

/** What the MAPPO paper's code has in common for its tasks. */
const paper = {
  ...mappoDefaults,
  activation: 'relu',
  layerNorm: true,
  stateNorm: false,
  recurrent: true,
  gamma: 0.99,
  clipVloss: true,
  huberDelta: 10,
  vfCoef: 1,
  maxGradNorm: 10,
  bootstrapTruncated: false,
} as const;

/** What JaxMARL's recurrent runs on SMAX have in common. */
const smax = {
  ...mappoDefaults,
  hidden: 128,
  activation: 'relu',
  recurrent: true,
  chunkLength: 32,
  numEnvs: 128,
  numSteps: 128,
  updateEpochs: 4,
  minibatchSize: 12_288,
  annealLr: true,
  gamma: 0.99,
  gaeLambda: 0.95,
  clipVloss: true,
  vfCoef: 0.5,
  maxGradNorm: 0.25,
  valueNorm: false,
  bootstrapTruncated: false,
} as const;

export const onPolicyPresets: Readonly<Record<string, LearnerPreset>> = {
  'ppo-cleanrl': {
    source: 'CleanRL, ppo.py: 4 copies × 128 steps in 4 minibatches, values clipped, rate annealed.',
    config: {
      ...ppoDefaults,
      numEnvs: 4,
      numSteps: 128,
      minibatchSize: 128,
      learningRate: 2.5e-4,
      annealLr: true,
      gamma: 0.99,
      clipVloss: true,
      valueNorm: false,
      bootstrapTruncated: false,
    },
  },
  'ippo-mpe': {
    source: 'Measured here on simple_spread: docs/learners/ippo.md.',
    config: ippoDefaults,
  },
  'mappo-mpe': {
    source: 'Measured here on simple_spread: docs/learners/mappo.md.',
    config: mappoDefaults,
  },
  'mappo-mpe-small': {
    source:
      'Measured here on simple_tag and simple_spread: docs/learners/mappo.md. A quarter of the copies: fewer env-steps, more time per step.',
    config: { ...mappoDefaults, numEnvs: 64, minibatchSize: 1600 },
  },
  'mappo-mpe-speech': {
    source:
      'Measured here on simple_speaker_listener: docs/learners/mappo.md. Few copies, many passes, ReLU, and enough entropy to keep words ' +
      'open until they mean something.',
    config: {
      ...mappoDefaults,
      activation: 'relu',
      numEnvs: 64,
      updateEpochs: 10,
      minibatchSize: 800,
      learningRate: 7e-4,
      entCoef: 0.02,
    },
  },
  'mappo-skirmish': {
    source:
      'Measured here on skirmish 3m and 2s3z: docs/learners/results.md. No memory, 32 copies × 64 steps, 10 passes in minibatches of about ' +
      '2,500 rows, ReLU.',
    config: {
      ...mappoDefaults,
      activation: 'relu',
      numEnvs: 32,
      numSteps: 64,
      updateEpochs: 10,
      minibatchSize: 2560,
      learningRate: 5e-4,
      gamma: 0.99,
    },
  },
  'mappo-mpe-paper': {
    source:
      'Yu et al. 2022, simple_spread in the on-policy repository: 128 copies, tanh, rate 7e-4, 10 epochs in one batch. There chunks ' +
      'have 10 steps and cross episodes; here 5, which divides the episode.',
    config: {
      ...paper,
      activation: 'tanh',
      numEnvs: 128,
      numSteps: 25,
      chunkLength: 5,
      updateEpochs: 10,
      minibatchSize: 1_000_000,
      learningRate: 7e-4,
    },
  },
  'mappo-smac-paper': {
    source:
      'Yu et al. 2022, SMAC settings of the on-policy repository for 3m, 8m and 2s3z: 8 copies × 400 steps, rate 5e-4, 15 ' +
      'epochs in one batch, chunks of 10. Harder maps there take 5 to 10 epochs.',
    config: {
      ...paper,
      numEnvs: 8,
      numSteps: 400,
      chunkLength: 10,
      updateEpochs: 15,
      minibatchSize: 1_000_000,
      learningRate: 5e-4,
    },
  },
  'ippo-smax': {
    source:
      'JaxMARL, IPPO RNN on SMAX: rate 4e-3, clip 0.05; gradients there flow through all 128 steps, here through 32. Four ' +
      'minibatches, as there, are those of a team of three; larger teams have more of them. There actor and critic share their first ' +
      'layers, a layer more follows the memory, and who died forgets.',
    config: {
      ...smax,
      algorithm: 'ippo',
      critic: 'observation',
      stateNorm: false,
      learningRate: 4e-3,
      clipCoef: 0.05,
      entCoef: 0.01,
    },
  },
  'mappo-smax': {
    source:
      'JaxMARL, MAPPO RNN on SMAX: rate 2e-3, no entropy bonus; chunks of 32 steps instead of 128, state normalised; minibatches as ' +
      'of ippo-smax.',
    config: { ...smax, learningRate: 2e-3, clipCoef: 0.2, entCoef: 0 },
  },
};
