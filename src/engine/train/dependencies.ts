import type { Learner, LearnerConfig } from '../../shared/rl/learner.ts';
import type { RecordableEnv } from '../../shared/rl/playback.ts';
import type { EnvironmentSpec, VecEnv, VecEnvOptions } from '../../shared/rl/vec-env.ts';
import type { Evaluation, EvaluationOptions, Policy } from '../policy/types.ts';

/** What a trainer is composed of; a test gives small ones. */
export interface TrainerDependencies {
  createVecEnv(spec: EnvironmentSpec, options: VecEnvOptions): RecordableEnv;
  createLearner(options: {
    readonly env: VecEnv;
    readonly config: LearnerConfig;
    readonly seed: number;
    readonly totalSteps: number;
  }): Promise<Learner>;
  openPolicy(onnx: Uint8Array): Promise<Policy>;
  evaluate(options: EvaluationOptions): Promise<Evaluation>;
  /** Wall clock in ms: decides when a timed checkpoint is written and nothing else. */
  now(): number;
}
