import type { EnvironmentSpec, VecEnv, VecEnvBuffers } from './vec-env.ts';

/** A batch whose simulator state can be read out: W words of f64 per copy, in an order that only the scenario knows. */
export interface RecordableEnv extends VecEnv {
  /** W. */
  readonly stateWords: number;
  /** Present states of all copies, so those that `obs` shows. Shape: out [E,W]. */
  copyStates(out: Float64Array): void;
  /** Last states of the copies that ended in the step just taken; other rows are left alone. Shape: out [E,W]. */
  copyFinalStates(out: Float64Array): void;
  /** Makes a playback of `numEnvs` copies of this scenario under the program and discount of this batch. */
  createPlayback(numEnvs: number): PlaybackEnv;
}

/** What a playback fills, as a batch does: see there. */
export type PlaybackBuffers = Pick<
  VecEnvBuffers,
  'obs' | 'state' | 'availActions' | 'active' | 'rewards' | 'components'
>;

/**
 * Recorded episodes evaluated again: observations, masks and rewards are computed from the states of the record, under the
 * program of `spec`, which need not be the one they were recorded under; physics is not. Under the same program the bits are
 * those of the original steps.
 *
 * E episodes run side by side, aligned at their beginnings. Buffers are owned by it and valid until the next call.
 */
export interface PlaybackEnv extends PlaybackBuffers {
  readonly spec: EnvironmentSpec;
  /** E. */
  readonly numEnvs: number;
  /**
   * Puts every copy at the beginning of an episode; fills obs, state, availActions, active.
   * Throws: sim.badRecord for words that are no state of the scenario; then nothing has changed.
   * Shape: first [E,W] states after the reset, seeds [E] of the streams they were played in, episodes [E] their indices there.
   */
  begin(first: Float64Array, seeds: BigUint64Array, episodes: Float64Array): void;
  /**
   * One step from the present states to `next`, through which alone the actions act; there is no auto-reset: obs, state and
   * masks are those of `next`.
   * A copy whose episode is over may go on being fed anything (zeros, its last state); its rows then mean nothing.
   * Throws: sim.badRecord for words that are no state of the scenario, and a base reward that is not finite; then nothing
   * has changed.
   * Shape: next [E,W]; base [E,A,Cb] f32, the scenario's own reward components, recorded since they
   * belong to the physics; ended [E] u8: 0 the episode goes on, 1 it terminates, 2 it is truncated.
   */
  step(next: Float64Array, base: Float32Array, ended: Uint8Array): void;
  /** As of VecEnv: decaying components weigh what they do after so many training steps. */
  setTrainingSteps(steps: number): void;
  /** As of VecEnv: what is played from then on is paid by them. */
  setShapingWeights(weights: Float64Array): void;
  dispose(): void;
}

/** Whether the states of a batch can be read out, as learners with a replay need. */
export function isRecordable(env: VecEnv): env is RecordableEnv {
  return typeof (env as Partial<RecordableEnv>).createPlayback === 'function';
}
