import type { ManifestMetric, ScenarioManifest } from './manifest.ts';
import type { ShapingInForce } from './shaping.ts';
import type { VmProgram } from './vm-program.ts';

/** What fixes the meaning of an environment for the simulator. Shapes follow from `scenario` and `parameters`. */
export interface EnvironmentSpec {
  readonly scenario: string;
  /** Values by manifest name; the rest are defaults. Booleans are 0 or 1, a choice is an index. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly program: VmProgram | null;
  /**
   * What plays whole groups in place of a learner: group name -> name of a built-in policy, or "npc": the behaviours of
   * the program, which then has some for every agent of the group.
   */
  readonly scripted: Readonly<Record<string, string>>;
  /** How much of the program's shaping is in force; absent: all of it. */
  readonly shaping?: ShapingInForce;
}

/** What potentials have to know of the learner that they are to leave the best policies of. */
export interface Discounting {
  /** Its discount, in 0..1, with which potentials enter the reward. */
  readonly gamma: number;
  /** Whether it expects no more of an episode that is truncated, as of one that terminates: potentials are 0 at both ends then. */
  readonly truncationEnds: boolean;
}

/** Where nobody says otherwise. */
export const usualDiscounting: Discounting = Object.freeze({ gamma: 0.99, truncationEnds: false });

/** Discounting: default `usualDiscounting`. */
export interface VecEnvOptions extends Partial<Discounting> {
  readonly numEnvs: number;
  readonly seed: bigint;
  /** Copy e plays episodes first+e, first+e+E, ... of the stream `seed`: what an episode holds depends on (seed, index) alone. */
  readonly firstEpisode: number;
  readonly continuousActions?: boolean;
}

/**
 * Buffers of a batch, owned by the caller side of the addon and valid until the next step.
 * E copies, A agents, O widest observation, S state, N widest action set, C components (base, then shaping),
 * M metrics (`VecEnv.metrics`).
 */
export interface VecEnvBuffers {
  /** [E,A,O] f32, after auto-reset. */
  readonly obs: Float32Array;
  /** [E,S] f32. */
  readonly state: Float32Array;
  /** [E,A,N] u8, 1 = legal. */
  readonly availActions: Uint8Array;
  /**
   * [E,A] u8: 1 while the agent can act in the coming step, so of the same moment as `obs`; 0: it is dead or takes no
   * part, has one legal action that changes nothing, and goes on being paid what its team is.
   */
  readonly active: Uint8Array;
  /** [E,A] f32: base components plus weighted, limited shaping. */
  readonly rewards: Float32Array;
  /**
   * [E,A,C] f32: base components raw, shaping components as given before weight and limit; a potential as its weighted
   * difference γ·w'·Φ(s') − w·Φ(s), Φ being 0 where the episode ends (`Discounting`).
   */
  readonly components: Float32Array;
  /** [E] u8 each; never merged. */
  readonly terminated: Uint8Array;
  readonly truncated: Uint8Array;
  /** Rows of copies that ended in this step hold the last observation, state, mask and who could act; other rows are stale. */
  readonly finalObs: Float32Array;
  readonly finalState: Float32Array;
  readonly finalAvailActions: Uint8Array;
  readonly finalActive: Uint8Array;
  /** Rows of copies that ended in this step. [E] index of the episode that ended. */
  readonly endedEpisode: Float64Array;
  /** [E] steps of the ended episode. */
  readonly episodeLength: Int32Array;
  /** [E,A] f64 sum of base reward of the ended episode. */
  readonly episodeReturn: Float64Array;
  /** [E,A,C] f64 sums per component (shaping: as it entered the reward, weighted and limited). */
  readonly episodeComponents: Float64Array;
  /** [E,A,M] f64; a metric that is not per agent repeats its value over the agents of a group; NaN: the episode has no value for it. */
  readonly episodeMetrics: Float64Array;
  /**
   * [E] i32: index of the regime that held in the step just taken (after reset and restore: of the one the copy is in);
   * -1 where the program has none. Names are in `spec.program.regimes`.
   */
  readonly regimes: Int32Array;
}

export interface TrapRecord {
  readonly declaration: string;
  readonly env: number;
  readonly episode: number;
  readonly step: number;
  readonly reason: 'nonfinite' | 'division' | 'domain';
}

export interface TriggerOptions {
  /** Default: the manifest's, or 0 where the event takes none. */
  readonly amount?: number;
  /** World entity index it is directed at or placed at. Default -1: nobody, or a place drawn at random. */
  readonly entity?: number;
  /** u32 that keys what it draws. Default 0. */
  readonly key?: number;
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
  /** What the last axis of episodeMetrics holds: the manifest's metrics, then the program's. */
  readonly metrics: readonly ManifestMetric[];
  /** Starts every copy at its first episode of the stream; fills obs, state, availActions, active. */
  reset(seed: bigint, firstEpisode: number): void;
  /** actions [E,A] i32 (rows of scripted groups are ignored). */
  step(actions: Int32Array): void;
  /** actions [E,A,K] f32 in [0,1], clipped; only with continuousActions. */
  stepContinuous(actions: Float32Array): void;
  /** Training steps of the run so far; the weight of decaying components follows it. */
  setTrainingSteps(steps: number): void;
  /** [Cs] what the program's shaping components weigh, beside their decay. */
  readonly shapingWeights: Float64Array;
  /**
   * From the coming step on they weigh this; within an episode too. A potential's difference keeps the part that it took by
   * earlier weights: γ·w′·Φ(s′) − w·Φ(s). Throws: RangeError for another number of them, or one that is not finite.
   */
  setShapingWeights(weights: Float64Array): void;
  /** Whole state of one copy (scenario, streams, accumulators), stable across batch sizes. */
  snapshot(env: number): Uint8Array;
  /**
   * Of a snapshot of another program, memory words and lasting bases that both programs know stay; everything else
   * that a program keeps begins as in a new episode. Throws sim.badSnapshot for another scenario, layout or version.
   */
  restore(env: number, snapshot: Uint8Array): void;
  /**
   * The program's metrics at the present state, without stepping: [E,A,Q] f64, a new array; NaN where there is no
   * sample. Attributes have their base values.
   */
  probe(): Float64Array;
  /**
   * Makes a scenario event happen to one copy now, as a declaration of the given key would at the start of the coming
   * step, and refreshes its observation, state and mask. `event` is its verb and name: "spawn supply".
   * Throws: RangeError for an unknown event, an amount out of bounds or an entity of the wrong kind.
   */
  trigger(env: number, event: string, options?: TriggerOptions): void;
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
