import type { EnvironmentSpec, TrapRecord } from '../../shared/rl/vec-env.ts';
import type { ErrorPayload } from '../../shared/std/app-error.ts';

/**
 * Messages between the supervisor (engine) and one trainer process. A trainer serves one run (arm × seed);
 * it knows no store: it reports, and writes checkpoint and record files under temporary names, synced and renamed,
 * before it names them here. Every command is answered by `done` or `failed` with the same id.
 */
export interface LearnerConfig {
  readonly algorithm: 'ippo';
  readonly hidden: number;
  readonly numEnvs: number;
  readonly numSteps: number;
  readonly updateEpochs: number;
  readonly minibatchSize: number;
  readonly learningRate: number;
  readonly annealLr: boolean;
  readonly gamma: number;
  readonly gaeLambda: number;
  readonly clipCoef: number;
  readonly entCoef: number;
  readonly vfCoef: number;
  readonly maxGradNorm: number;
  readonly normAdv: boolean;
  readonly valueNorm: boolean;
  readonly bootstrapTruncated: boolean;
}

export interface ObjectiveConfig {
  readonly metric: string;
  readonly group: string;
  readonly environment: EnvironmentSpec;
  /** Fixed greedy episodes per evaluation. */
  readonly episodes: number;
}

export interface TrainerInit {
  readonly runId: string;
  readonly seed: number;
  readonly learner: LearnerConfig;
  readonly objective: ObjectiveConfig;
  /** Own (training) steps between evaluations on the objective environment. */
  readonly evaluateEverySteps: number;
  readonly directory: string;
  /** Null: a new run. */
  readonly checkpoint: string | null;
  readonly checkpointEveryMs: number;
}

export type TrainerCommand =
  | { readonly type: 'init'; readonly id: number; readonly init: TrainerInit }
  | {
      /** Trains in `environment` until the run's own steps reach `untilOwnSteps`; `round` and `chargedOffset` label metrics. */
      readonly type: 'train';
      readonly id: number;
      readonly round: number;
      readonly environment: EnvironmentSpec;
      readonly environmentIdentity: string;
      readonly untilOwnSteps: number;
      /** Charged minus own steps so far (trial steps). */
      readonly chargedOffset: number;
    }
  | {
      /** Forks policy and optimiser, trains each environment for `steps` with the same seed, scores on the objective, restores. */
      readonly type: 'trial';
      readonly id: number;
      readonly environments: readonly EnvironmentSpec[];
      readonly seed: number;
      readonly steps: number;
      readonly episodes: number;
    }
  | { readonly type: 'pause' | 'unpause'; readonly id: number }
  | { /** Ends after the current iteration with a checkpoint. */ readonly type: 'stop'; readonly id: number };

export interface CheckpointRef {
  /** File name inside the run's directory, content-addressed. */
  readonly file: string;
  readonly ownSteps: number;
  readonly chargedSteps: number;
  readonly round: number;
  readonly parameterHash: string;
}

/** Statistics of a round, the raw material of the snapshot. */
export interface RoundReport {
  readonly round: number;
  readonly ownSteps: number;
  readonly objective: number;
  readonly parameterHash: string;
  readonly checkpoint: CheckpointRef;
  /** Recorded episodes of the round for the validator; file inside the run's directory. */
  readonly record: string;
  readonly traps: readonly TrapRecord[];
  /** Fired / (steps × instances) per declaration over the round. */
  readonly fireRates: Readonly<Record<string, number>>;
  /** Per-agent episode metrics, means over the round's last episodes: metric -> agent -> value. */
  readonly agentMetrics: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface TrialResult {
  /** Objective score per environment, same order as asked. */
  readonly scores: readonly number[];
  /** Training steps spent, over all environments. */
  readonly trainedSteps: number;
  readonly evaluationSteps: number;
}

export type TrainerEvent =
  | { readonly type: 'done'; readonly id: number; readonly result: RoundReport | TrialResult | null }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorPayload }
  | {
      /** Sequence numbers rise by one per point in a run; on resume the store cuts back to the checkpoint's. */
      readonly type: 'metrics';
      readonly points: readonly { readonly key: string; readonly step: number; readonly value: number }[];
      readonly ownSteps: number;
      readonly stepsPerSecond: number;
    }
  | { readonly type: 'checkpoint'; readonly checkpoint: CheckpointRef }
  | { readonly type: 'log'; readonly level: 'info' | 'warning' | 'error'; readonly message: string };
