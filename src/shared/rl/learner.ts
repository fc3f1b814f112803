import type { VecEnv } from './vec-env.ts';

export type { LearnerAlgorithm, LearnerConfig, OnPolicyConfig, ValueConfig } from './learner-config.ts';

/** One number of an iteration under its canonical key, e.g. `losses/policy_loss`. */
export interface MetricValue {
  readonly key: string;
  readonly value: number;
}

/** What one iteration (collect T steps of E copies, then update) reports. */
export interface IterationStats {
  /** Env-steps of this iteration: E × T. */
  readonly steps: number;
  /** Episode figures are means over the episodes that ended in this iteration and are absent when none did. */
  readonly metrics: readonly MetricValue[];
}

/** One group's actor as an ONNX file with metadata (see `PolicyMetadata`). */
export interface ExportedPolicy {
  readonly group: string;
  readonly onnx: Uint8Array;
}

/** The part of an AbortSignal that a learner looks at. */
export interface CancelSignal {
  readonly aborted: boolean;
}

/**
 * A learning algorithm bound to a batch of copies. It never creates an environment, a file or a log line.
 * Calls must not overlap: await `iterate` before anything else.
 */
export interface Learner {
  /** Env-steps per iteration: E × T. */
  readonly numSteps: number;
  /** Env-steps trained so far (restored by `restore`, kept by `setEnvironment`). */
  readonly trainedSteps: number;
  /**
   * Collects one rollout and updates every learned group. Looks at `signal` between env-steps and minibatches.
   * Throws: run.cancelled when aborted and learner.nonfinite; after either only `restore` and `dispose` are allowed.
   */
  iterate(signal?: CancelSignal): Promise<IterationStats>;
  /**
   * Goes on in another environment of the same shapes: copies start at episodes never seen before; parameters,
   * Adam moments and value normalisation are kept. The old environment is left to its owner.
   * With `seed`, action, permutation and episode streams restart from it, so that two branches pair exactly.
   */
  setEnvironment(env: VecEnv, options?: { readonly seed?: number }): void;
  /** Everything the future depends on, copies' snapshots included: `restore` continues bit for bit. */
  serialize(): Uint8Array;
  /** Throws: learner.badCheckpoint for bytes of another shape, configuration or version; nothing is changed then. */
  restore(bytes: Uint8Array): void;
  /** SHA-256 of all parameters, 64 hex digits. */
  parameterHash(): string;
  /** The current actors of the learned groups. */
  policies(): ExportedPolicy[];
  /** Releases sessions; the environment is left to its owner. */
  dispose(): Promise<void>;
}
