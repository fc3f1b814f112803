import type { ShapingInForce } from '../../shared/rl/shaping.ts';
import type { EnvironmentSpec, VecEnv } from '../../shared/rl/vec-env.ts';
import type { SeriesPoint } from './protocol.ts';

/** Where the weights of a run stand. */
export interface WeightState {
  /** [Cs] beside decay, in the order of the program's components. */
  readonly weights: readonly number[];
  /** Training steps of the run at the last change; null: there was none. */
  readonly changedAt: number | null;
}

/** What is left of a change that is taken for none. */
const settled = 1e-3;

/** The weights of an environment's shaping components, iteration by iteration. */
export class WeightFollower {
  readonly #shaping: ShapingInForce;
  #weights: Float64Array;
  #changedAt: number | null;

  constructor(shaping: ShapingInForce) {
    this.#shaping = shaping;
    this.#weights = shaping.weights.slice();
    this.#changedAt = shaping.course.changedAt;
  }

  /** Of an environment in which all of the shaping is in force as it stands there is nothing to follow. */
  static of({ shaping }: EnvironmentSpec): WeightFollower | null {
    return shaping === undefined ? null : new WeightFollower(shaping);
  }

  get state(): WeightState {
    return { weights: [...this.#weights], changedAt: this.#changedAt };
  }

  /**
   * To be called before every iteration, with the training steps taken so far: moves the weights on unless they are frozen,
   * and puts them in force.
   */
  advance(env: Pick<VecEnv, 'setShapingWeights'>, trainedSteps: number): void {
    const { smoothing, freezeSteps, target, span } = this.#shaping.course;
    // A policy that went back to before the last change is held by it no more.
    const since = this.#changedAt === null ? freezeSteps : trainedSteps - this.#changedAt;
    if (since >= 0 && since < freezeSteps) return;
    const next = this.#weights.map((weight, c) => {
      const goal = target[c] as number;
      const after = smoothing === 1 ? goal : weight + smoothing * (goal - weight);
      return Math.abs(goal - after) <= settled * (span[c] as number) ? goal : after;
    });
    if (next.every((weight, c) => weight === this.#weights[c])) return;
    this.#weights = next;
    this.#changedAt = trainedSteps;
    env.setShapingWeights(next);
  }

  /** Puts in force what a round begins with. */
  begin(env: Pick<VecEnv, 'setShapingWeights'>): void {
    env.setShapingWeights(this.#weights);
  }

  /** Goes on from where a checkpoint stood. Requires: as many weights. */
  load(env: Pick<VecEnv, 'setShapingWeights'>, { weights, changedAt }: WeightState): void {
    this.#weights = Float64Array.from(weights);
    this.#changedAt = changedAt;
    env.setShapingWeights(this.#weights);
  }

  /** What each component weighs in an iteration that began after so many training steps, decay included. */
  points({ program }: EnvironmentSpec, trainedSteps: number, step: number): SeriesPoint[] {
    return (program?.components ?? []).map(({ name, halfLifeSteps }, c) => {
      const decay = halfLifeSteps === 0 ? 1 : 2 ** (-trainedSteps / halfLifeSteps);
      return { key: `charts/weight/${name}`, step, value: (this.#weights[c] as number) * decay };
    });
  }
}
