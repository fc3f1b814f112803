/**
 * How much of the shaping components of a program is in force, and how that goes on while a change of rewards is taken up.
 * Part of an environment's spec and not of its identity: what a text means does not depend on it.
 */
export interface ShapingInForce {
  /** [Cs] weight of each component of the program at the start, beside its decay. */
  readonly weights: Float64Array;
  /** Components, by index, whose sum over an episode stays within ± limit for every agent; null: there are none. */
  readonly joint: { readonly components: readonly number[]; readonly limit: number } | null;
  readonly course: WeightCourse;
}

/** Where weights are heading, and how fast. */
export interface WeightCourse {
  /** [Cs] */
  readonly target: Float64Array;
  /** [Cs] |weight − target| when the change was applied: what is left is gone once it is a thousandth of it. */
  readonly span: Float64Array;
  /** Share of what is left that one change takes, in (0, 1]; 1: all of it. */
  readonly smoothing: number;
  /** Training steps that weights stay as they are after a change; 0: they may change before every iteration. */
  readonly freezeSteps: number;
  /** Training steps of the run at the last change; null: there was none. */
  readonly changedAt: number | null;
}
