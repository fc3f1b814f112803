import type { LearnerConfig } from '../../../shared/rl/learner.ts';

/** Settings that solve `simple_spread` on five of five seeds (docs/learners/ippo.md); a start for the rest. */
export const ippoDefaults: LearnerConfig = Object.freeze({
  algorithm: 'ippo',
  hidden: 64,
  numEnvs: 256,
  numSteps: 25,
  updateEpochs: 4,
  minibatchSize: 4096,
  learningRate: 1e-3,
  annealLr: false,
  gamma: 0.95,
  gaeLambda: 0.95,
  clipCoef: 0.2,
  entCoef: 0.01,
  vfCoef: 0.5,
  maxGradNorm: 0.5,
  normAdv: true,
  valueNorm: true,
  bootstrapTruncated: true,
});
