/** Learners as ONNX graphs: symbolic differentiation, networks, rollouts, algorithms. Knows VecEnv by interface only. */
export type {
  CancelSignal,
  ExportedPolicy,
  IterationStats,
  Learner,
  LearnerConfig,
  MetricValue,
} from '../../shared/rl/learner.ts';
export { createIppo, type IppoOptions } from './algos/ippo.ts';
export { ippoDefaults } from './algos/ippo-defaults.ts';
export { createSession, type OrtTensor, wrap } from './graph/session.ts';
export { illegalLogit } from './nn/categorical.ts';
