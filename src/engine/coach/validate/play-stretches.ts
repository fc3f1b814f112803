import type { VecEnv } from '../../../shared/rl/vec-env.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { CoachDependencies, RecordedStretch, Recording } from '../types.ts';
import { type Example, maxExamples } from './reason.ts';

/** What an environment makes of recorded stretches, step by step. N steps in all, stretch after stretch. */
export interface PlayedStretches {
  readonly stretches: readonly PlayedStretch[];
  readonly round: number;
  /** N */
  readonly numSteps: number;
  readonly numAgents: number;
  /** Base components, then shaping. */
  readonly numComponents: number;
  readonly stateDim: number;
  /** "kind name" of the program's declarations, in its order. */
  readonly targets: readonly string[];
  /** [N,D] instances of each declaration that fired. */
  readonly fired: Float64Array;
  /** [N,A,C] as VecEnv's components. */
  readonly components: Float32Array;
  /** [N,S] after the step. */
  readonly states: Float32Array;
  /** Steps in which the program computed an undefined value. */
  readonly trapped: readonly number[];
}

export interface PlayedStretch {
  readonly copy: number;
  readonly time: number;
  /** Of its first step among the N. */
  readonly first: number;
  readonly length: number;
  /** Whether its episode ended with success, by agent; null where it did not end, or the scenario has no such metric. */
  readonly success: Readonly<Record<string, boolean>> | null;
}

/** Metric by which scenarios say that an episode reached its aim. */
const successMetric = 'success';

/**
 * Restores the first state of each recorded stretch into a copy that runs the environment's program, and takes the
 * recorded actions from there: what lasts, adds up over an episode or comes back can be seen, and so can what a changed
 * world makes of the same actions. A copy whose episode ends before the record's does goes on at the recorded state.
 *
 * Throws: sim.badSnapshot where the environment's state has another layout.
 */
export function playStretches(
  createVecEnv: CoachDependencies['createVecEnv'],
  { spec }: Pick<CompiledEnvironment, 'spec'>,
  recording: Pick<Recording, 'round' | 'stretches'>,
): PlayedStretches {
  const env = createVecEnv(spec, { numEnvs: 1, seed: 0n, firstEpisode: 0 });
  try {
    env.reset(0n, 0);
    env.takeFireCounts();
    return new StretchPlayer(env, recording).play();
  } finally {
    env.dispose();
  }
}

class StretchPlayer {
  readonly #env: VecEnv;
  readonly #recording: Pick<Recording, 'round' | 'stretches'>;
  readonly #played: PlayedStretch[] = [];
  readonly #targets: readonly string[];
  readonly #fired: Float64Array;
  readonly #components: Float32Array;
  readonly #states: Float32Array;
  readonly #numSteps: number;
  readonly #trapped: number[] = [];
  #step = 0;

  constructor(env: VecEnv, recording: Pick<Recording, 'round' | 'stretches'>) {
    this.#env = env;
    this.#recording = recording;
    this.#targets = (env.spec.program?.declarations ?? []).map(({ kind, name }) => `${kind} ${name}`);
    this.#numSteps = recording.stretches.reduce((sum, { steps }) => sum + steps.length, 0);
    this.#fired = new Float64Array(this.#numSteps * this.#targets.length);
    this.#components = new Float32Array(this.#numSteps * env.components.length);
    this.#states = new Float32Array(this.#numSteps * env.stateDim);
  }

  play(): PlayedStretches {
    for (const stretch of this.#recording.stretches) this.#playOne(stretch);
    const { numAgents, numComponents, stateDim } = this.#env;
    return {
      stretches: this.#played,
      round: this.#recording.round,
      numSteps: this.#numSteps,
      numAgents,
      numComponents,
      stateDim,
      targets: this.#targets,
      fired: this.#fired,
      components: this.#components,
      states: this.#states,
      trapped: this.#trapped,
    };
  }

  #playOne({ copy, time, steps }: RecordedStretch): void {
    const env = this.#env;
    const first = this.#step;
    let isAtRecord = false;
    for (const { snapshot, actions } of steps) {
      if (!isAtRecord) env.restore(0, snapshot);
      env.step(actions.subarray(0, env.numAgents));
      isAtRecord = !this.#hasEnded();
      this.#note();
    }
    const success = this.#hasEnded() ? this.#successOf() : null;
    this.#played.push({ copy, time, first, length: steps.length, success });
  }

  #hasEnded(): boolean {
    return this.#env.terminated[0] !== 0 || this.#env.truncated[0] !== 0;
  }

  #note(): void {
    const env = this.#env;
    this.#fired.set(env.takeFireCounts(), this.#step * this.#targets.length);
    this.#components.set(env.components, this.#step * env.components.length);
    this.#states.set(this.#hasEnded() ? env.finalState : env.state, this.#step * env.stateDim);
    if (env.takeTraps().length > 0) this.#trapped.push(this.#step);
    this.#step++;
  }

  #successOf(): PlayedStretch['success'] {
    const { metrics, episodeMetrics, manifest, numAgents } = this.#env;
    const column = metrics.findIndex(({ name }) => name === successMetric);
    if (column < 0) return null;
    const names = manifest.groups.flatMap(({ agents }) => agents);
    const values = Array.from(
      { length: numAgents },
      (_, agent) => episodeMetrics[agent * metrics.length + column] ?? Number.NaN,
    );
    return Object.fromEntries(values.map((value, agent) => [names[agent] ?? `${agent}`, value > 0]));
  }
}

/** How many instances of a declaration fired, by step; null where the program has no such declaration. */
export function firedBy({ targets, fired, numSteps }: PlayedStretches, target: string): Float64Array | null {
  const column = targets.indexOf(target);
  if (column < 0) return null;
  return Float64Array.from({ length: numSteps }, (_, step) => fired[step * targets.length + column] ?? 0);
}

/** Steps in which all of the declarations fire. */
export function stepsOfAll(played: PlayedStretches, targets: readonly string[]): number[] {
  const fired = targets.map((target) => firedBy(played, target));
  return Array.from({ length: played.numSteps }, (_, step) => step).filter((step) =>
    fired.every((counts) => (counts?.[step] ?? 0) > 0),
  );
}

/** The steps from..to (among the N) of one stretch, as they are found again in the record. */
export function exampleOf({ stretches, round }: PlayedStretches, from: number, to: number = from): Example[] {
  const stretch = stretches.find(({ first, length }) => from >= first && from < first + length);
  if (stretch === undefined) return [];
  const { copy, time, first, length } = stretch;
  const last = Math.min(to, first + length - 1);
  return [{ round, copy, from: time + from - first, to: time + last - first }];
}

/** Some of the steps that are marked, spread over all of them, as examples. */
export function examplesOf(played: PlayedStretches, steps: readonly number[]): Example[] {
  const every = Math.max(1, Math.floor(steps.length / maxExamples));
  return steps.filter((_, index) => index % every === 0).flatMap((step) => exampleOf(played, step));
}
