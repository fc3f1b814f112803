import type { PolicyMetadata } from '../../shared/rl/policy-metadata.ts';
import type { VecEnv } from '../../shared/rl/vec-env.ts';

/** A policy file held by an inference session. Overlapping calls take turns. */
export interface Policy {
  readonly metadata: PolicyMetadata;
  /**
   * Chooses the legal action of the best score in each row (lowest index wins ties).
   * Shape: obs [B,W] f32 with W = policyInputWidth(metadata), availActions [B,numActions] u8 or null (all legal)
   * -> actions [B] i32, written in place. A row's action does not depend on B: single rows are padded.
   */
  actGreedy(batch: PolicyBatch, actions: Int32Array): Promise<void>;
  dispose(): Promise<void>;
}

export interface PolicyBatch {
  readonly rows: number;
  readonly obs: Float32Array;
  readonly availActions: Uint8Array | null;
  /** [B,hiddenDim] f32: the memory before the step, overwritten with that after it; only policies with memory need it. */
  readonly hidden?: Float32Array;
}

/** One value per episode, in episode order, and the mean of those that are values: NaN is an episode without one. */
export interface EpisodeSeries {
  readonly values: Float64Array;
  readonly mean: number;
}

/** Results of one group: every series is the mean over those of its agents that have a value. */
export interface GroupEvaluation {
  /** Episode sum of base reward. */
  readonly episodeReturn: EpisodeSeries;
  /** Episode sums by reward component, shaping as it entered the reward. */
  readonly components: Readonly<Record<string, EpisodeSeries>>;
  /** The environment's metrics, those of its text included; one without any value is left out. */
  readonly metrics: Readonly<Record<string, EpisodeSeries>>;
}

export interface Evaluation {
  readonly episodes: number;
  /** Env-steps taken, surplus steps of copies that were done early included. */
  readonly steps: number;
  readonly groups: Readonly<Record<string, GroupEvaluation>>;
  /**
   * The environment's metrics, mean over all agents that have a value, those that are not per agent over the first group
   * that learns; one without any is left out.
   */
  readonly metrics: Readonly<Record<string, EpisodeSeries>>;
  /** Means per agent name over the episodes. */
  readonly agents: Readonly<Record<string, AgentEvaluation>>;
  /** The metrics that are measured per agent: metric -> agent -> mean over the episodes; agents without a value are left out. */
  readonly agentMetrics: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** What the groups that learn chose while their agents could act: group -> action -> share over all episodes. */
  readonly actionShares: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface AgentEvaluation {
  readonly episodeReturn: number;
  readonly components: Readonly<Record<string, number>>;
  readonly metrics: Readonly<Record<string, number>>;
}

export interface EvaluationOptions {
  /** Gives `numEnvs` copies of the evaluation environment; they are reset, used and disposed here. */
  readonly createEnv: (numEnvs: number) => VecEnv;
  /** One policy per group that is not scripted. */
  readonly policies: Readonly<Record<string, Policy>>;
  /** Episodes 0..episodes-1 of the stream `seed` are played, the same ones whatever the number of copies. */
  readonly episodes: number;
  readonly seed: bigint;
  readonly signal?: AbortSignal;
  /** Copies stepped together, default 256; figures do not depend on it. */
  readonly numEnvs?: number;
}
