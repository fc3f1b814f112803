import type { LearnerConfig } from '../../shared/rl/learner.ts';
import type { EnvironmentSpec, TrapRecord } from '../../shared/rl/vec-env.ts';
import type { ErrorPayload } from '../../shared/std/app-error.ts';
import type { SolvedState } from './solved-starts.ts';
import type { WeightState } from './weight-follower.ts';

export type { LearnerConfig } from '../../shared/rl/learner.ts';

/**
 * Messages between the supervisor (engine) and one trainer process. A trainer serves one run (arm × seed);
 * it knows no store: it reports, and writes checkpoint and record files under temporary names, synced and renamed,
 * before it names them here. Every command is answered by `done` or `failed` with the same id.
 */
export interface ObjectiveConfig {
  readonly metric: string;
  readonly group: string;
  readonly environment: EnvironmentSpec;
  /** Fixed greedy episodes per evaluation; the same ones every time for a seed. */
  readonly episodes: number;
}

/** An environment in which policies are only ever scored, by the objective's metric. */
export interface HeldOutConfig {
  readonly name: string;
  readonly environment: EnvironmentSpec;
}

export interface TrainerInit {
  readonly runId: string;
  readonly seed: number;
  readonly learner: LearnerConfig;
  readonly objective: ObjectiveConfig;
  /** Scored at the end of every round. Default: none. */
  readonly heldOut?: readonly HeldOutConfig[];
  /** Charged steps between evaluations on the objective environment: one grid that all arms share. */
  readonly evaluateEverySteps: number;
  /** Training steps the learning rate is annealed over: the run's budget. */
  readonly totalSteps: number;
  /** Absolute folder of the run; made if absent. */
  readonly directory: string;
  /** File inside `directory`. Null: a new run. */
  readonly checkpoint: string | null;
  /** Wall time between timed checkpoints. */
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
      /** Checkpoint that the learner goes back to before the round begins, as `takeUp` does. */
      readonly takeUp?: string;
    }
  | {
      /**
       * Between two rounds: the learner goes back to how it stood in a checkpoint of the run, with the environment and the copies of
       * then. Steps that were taken since stay counted. Again with the same file it changes nothing more.
       */
      readonly type: 'takeUp';
      readonly id: number;
      /** File inside the run's directory. */
      readonly checkpoint: string;
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
  | {
      /** Holds after the current iteration; answered at once. */ readonly type: 'pause' | 'unpause';
      readonly id: number;
    }
  | { /** Ends after the current iteration with a checkpoint. */ readonly type: 'stop'; readonly id: number };

export interface CheckpointRef {
  /** File name inside the run's directory, content-addressed. */
  readonly file: string;
  readonly ownSteps: number;
  readonly chargedSteps: number;
  readonly round: number;
  /** Written when `round` was complete; timed ones lie inside it. */
  readonly isRoundEnd: boolean;
  /** Points reported before it: on resume the series keep exactly the points with a lower sequence number. */
  readonly sequence: number;
  readonly parameterHash: string;
}

export interface PolicyFile {
  readonly group: string;
  /** File inside the run's directory, content-addressed. */
  readonly file: string;
  readonly sha256: string;
  /** Of its own parameters, as its metadata says; the run's hash is over those of all groups. */
  readonly parameterHash: string;
}

/** Where a trainer stands after init. */
export interface TrainerReady {
  readonly ownSteps: number;
  readonly round: number;
  readonly sequence: number;
  readonly parameterHash: string;
  readonly stepsPerIteration: number;
}

/** Statistics of a round, the raw material of the snapshot. */
export interface RoundReport {
  readonly round: number;
  readonly ownSteps: number;
  /** Those that the policy has learned from, by which decays go: fewer where it went back. Absent in older reports. */
  readonly trainedSteps?: number;
  readonly chargedSteps: number;
  /** Mean over the fixed episodes, and its standard error. */
  readonly objective: number;
  readonly objectiveError: number;
  readonly parameterHash: string;
  readonly checkpoint: CheckpointRef;
  /** Recorded steps of the round for the validator (see record-file.ts); file inside the run's directory. */
  readonly record: string;
  readonly policies: readonly PolicyFile[];
  /** The first of the round's traps, and how many there were. */
  readonly traps: readonly TrapRecord[];
  readonly numTraps: number;
  /** Fired / (steps × instances) per declaration over the round. */
  readonly fireRates: Readonly<Record<string, number>>;
  /** Per-agent episode metrics, means over the round's last episodes: metric -> agent -> value. */
  readonly agentMetrics: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Per-agent sums of each reward component over the same episodes: component -> agent -> value. */
  readonly agentComponents: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly evaluationSteps: number;
  /** Where the weights of its shaping stand; absent where all of the shaping was in force as it stands. */
  readonly shaping?: WeightState;
  /** Fixed starts solved in the last evaluations; absent where success is not measured, and in older reports. */
  readonly solved?: SolvedState;
  /** What the policies chose in the last evaluation, greedily: group -> action -> share; absent in older reports. */
  readonly actionShares?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What came of one environment of a trial. */
export interface TrialBranch {
  /** On the objective; null where training broke down. */
  readonly score: number | null;
  /** Of the score, over the episodes of it; null where there is none. */
  readonly standardError: number | null;
  /** Why there is no score: learner.nonfinite. */
  readonly error: ErrorPayload | null;
  /** Steps taken in it, those of an iteration that broke down included. */
  readonly trainedSteps: number;
  readonly evaluationSteps: number;
}

export interface TrialResult {
  /** Per environment, same order as asked. */
  readonly branches: readonly TrialBranch[];
}

export interface SeriesPoint {
  readonly key: string;
  /** Charged steps. */
  readonly step: number;
  readonly value: number;
}

export type TrainerEvent =
  | {
      readonly type: 'done';
      readonly id: number;
      readonly result: TrainerReady | RoundReport | TrialResult | null;
    }
  | { readonly type: 'failed'; readonly id: number; readonly error: ErrorPayload }
  | {
      /** Sequence numbers rise by one per point in a run, over restarts too; points[i] has firstSequence + i. */
      readonly type: 'metrics';
      readonly firstSequence: number;
      readonly points: readonly SeriesPoint[];
      readonly ownSteps: number;
      readonly chargedSteps: number;
      /** Wall-clock speed of the last iterations, for display only: never part of a series. */
      readonly stepsPerSecond: number;
    }
  | { readonly type: 'checkpoint'; readonly checkpoint: CheckpointRef }
  | { readonly type: 'log'; readonly level: 'info' | 'warning' | 'error'; readonly message: string };
