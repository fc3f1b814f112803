/** Learners as ONNX graphs: symbolic differentiation, networks, rollouts, algorithms. Knows VecEnv by interface only. */

export type {
  CancelSignal,
  ExportedPolicy,
  IterationStats,
  Learner,
  LearnerConfig,
  MetricValue,
} from '../../shared/rl/learner.ts';
export { isOnPolicy, stepsPerIteration } from '../../shared/rl/learner-config.ts';
export { checkLearner, type LearnerProblem, type LearnerTask } from './check-learner.ts';
export { createLearner, type LearnerOptions } from './create-learner.ts';
export { createSession, type OrtTensor, wrap } from './graph/session.ts';
export { illegalLogit } from './nn/categorical.ts';
export { learnerCatalogue } from './presets/index.ts';
export { ippoDefaults, mappoDefaults, ppoDefaults } from './presets/on-policy-presets.ts';
export type { LearnerCatalogue, LearnerPreset } from './presets/types.ts';
