import { setImmediate } from 'node:timers/promises';
import type { DrawableEnv } from '../../shared/rl/drawable-env.ts';
import type { Discounting, EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { createVecEnv } from './create-vec-env.ts';

/** Who chooses actions of some agents; the others' rows it leaves alone. */
export interface EpisodeActor {
  act(actions: Int32Array): Promise<void> | void;
  endStep?(): void;
}

export interface EpisodePlay {
  readonly spec: EnvironmentSpec;
  /** Of the stream that the episode is of, and its index there. */
  readonly seed: bigint;
  readonly episode: number;
  /** With which potentials pay. Default: VecEnvOptions'. */
  readonly discounting?: Discounting;
  /** Those who play beside what `spec.scripted` names; later ones overrule earlier ones. */
  readonly actors: (env: DrawableEnv) => readonly EpisodeActor[];
  readonly signal?: AbortSignal | undefined;
}

/** An episode at one of its steps; the batch of one copy shows it until the next moment is asked for. */
export interface EpisodeMoment {
  readonly env: DrawableEnv;
  /** Steps taken: 0 is the beginning. */
  readonly step: number;
  /** [A] i32: what was done in the step just taken; at the beginning nothing was. */
  readonly actions: Int32Array;
  /** The step just taken ended the episode: what it came to is in the buffers of ended episodes. */
  readonly isOver: boolean;
}

/** So long it plays before others get their turn on this thread. */
const sliceMs = 8;

/**
 * Plays one episode, moment by moment, from its beginning to its end, in slices that leave the thread to others. What it
 * gives depends on environment, seed, episode and actors alone.
 * Throws: run.cancelled where `signal` aborts; what createVecEnv and the actors throw.
 */
export async function* playEpisode(play: EpisodePlay): AsyncGenerator<EpisodeMoment, void, undefined> {
  const { spec, seed, episode, discounting, actors, signal } = play;
  const env = createVecEnv(spec, { numEnvs: 1, seed, firstEpisode: episode, ...discounting });
  try {
    const players = actors(env);
    const actions = new Int32Array(env.numAgents);
    let sliceBegan = performance.now();
    for (let step = 0, isOver = false; ; step++) {
      yield { env, step, actions, isOver };
      if (isOver) return;
      if (performance.now() - sliceBegan > sliceMs) {
        await setImmediate();
        sliceBegan = performance.now();
      }
      if (signal?.aborted) throw new AppError('run.cancelled', 'the play was cancelled');
      for (const player of players) await player.act(actions);
      env.step(actions);
      for (const player of players) player.endStep?.();
      isOver = env.terminated[0] !== 0 || env.truncated[0] !== 0;
    }
  } finally {
    env.dispose();
  }
}
