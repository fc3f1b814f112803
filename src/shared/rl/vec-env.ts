import type { ScenarioManifest } from './manifest.ts';
import type { VmProgram } from './vm-program.ts';

/** What fixes the meaning of an environment for the simulator. Shapes follow from `scenario` and `parameters`. */
export interface EnvironmentSpec {
  readonly scenario: string;
  /** Values by manifest name; the rest are defaults. Booleans are 0 or 1. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly program: VmProgram | null;
  /** Built-in policies that play whole groups in place of a learner: group name -> policy name. */
  readonly scripted: Readonly<Record<string, string>>;
}

export interface VecEnvOptions {
  readonly numEnvs: number;
  readonly seed: bigint;
  /** Copy e plays episodes first+e, first+e+E, ... of the stream `seed`: what an episode holds depends on (seed, index) alone. */
  readonly firstEpisode: number;
  readonly continuousActions?: boolean;
}

/**
 * Buffers of a batch, owned by the caller side of the addon and valid until the next step.
 * E copies, A agents, O widest observation, S state, N widest action set, C components (base, then shaping),
 * M metrics of the manifest.
 */
export interface VecEnvBuffers {
  /** [E,A,O] f32, after auto-reset. */
  readonly obs: Float32Array;
  /** [E,S] f32. */
  readonly state: Float32Array;
  /** [E,A,N] u8, 1 = legal. */
  readonly availActions: Uint8Array;
  /** [E,A] f32: base components plus weighted, limited shaping. */
  readonly rewards: Float32Array;
  /** [E,A,C] f32: base components raw, shaping components as given before weight and limit. */
  readonly components: Float32Array;
  /** [E] u8 each; never merged. */
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  /** Rows of copies that ended in this step hold the last observation, state and mask; other rows are stale. */
  readonly finalObs: Float32Array;
  readonly finalState: Float32Array;
  readonly finalAvailActions: Uint8Array;
  /** Rows of copies that ended in this step. [E] index of the episode that ended. */
  readonly endedEpisode: Float64Array;
  /** [E] steps of the ended episode. */
  readonly episodeLength: Int32Array;
  /** [E,A] f64 sum of base reward of the ended episode. */
  readonly episodeReturn: Float64Array;
  /** [E,A,C] f64 sums per component (shaping: as it entered the reward, weighted and limited). */
  readonly episodeComponents: Float64Array;
  /** [E,A,M] f64; a metric that is not per agent repeats its value. */
  readonly episodeMetrics: Float64Array;
}

export interface TrapRecord {
  readonly declaration: string;
  readonly env: number;
  readonly episode: number;
  readonly step: number;
  readonly reason: 'nonfinite' | 'division' | 'domain';
}

/** A batch of copies of one environment. Implemented by `engine/sim` over the addon; learners know only this. */
export interface VecEnv extends VecEnvBuffers {
  readonly manifest: ScenarioManifest;
  readonly spec: EnvironmentSpec;
  readonly numEnvs: number;
  readonly numAgents: number;
  readonly obsDim: number;
  readonly stateDim: number;
  readonly numActions: number;
  readonly numComponents: number;
  readonly componentNames: readonly string[];
  /** Starts every copy at its first episode of the stream; fills obs, state, availActions. */
  reset(seed: bigint, firstEpisode: number): void;
  /** actions [E,A] i32 (rows of scripted groups are ignored). */
  step(actions: Int32Array): void;
  /** actions [E,A,K] f32 in [0,1], clipped; only with continuousActions. */
  stepContinuous(actions: Float32Array): void;
  /** Training steps of the run so far; the weight of decaying components follows it. */
  setTrainingSteps(steps: number): void;
  /** Whole state of one copy (scenario, streams, accumulators), stable across batch sizes. */
  snapshot(env: number): Uint8Array;
  /** Throws sim.badSnapshot for another scenario, layout or version. Accumulators of another program start at zero. */
  restore(env: number, snapshot: Uint8Array): void;
  /** Order- and batch-independent hash over all copies, 16 hex digits. */
  stateHash(): string;
  /** [numDeclarations] counts of lanes where each declaration fired since the last call. */
  takeFireCounts(): Float64Array;
  /**
   * Traps since the last call, at most the first 1024 of them. A trapped copy finished its step without rule effects
   * (where a rule trapped) and without shaping, counts as truncated, and was reset.
   */
  takeTraps(): TrapRecord[];
  dispose(): void;
}
