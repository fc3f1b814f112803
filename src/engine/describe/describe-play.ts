import { RandomActor } from '../../shared/rl/random-actor.ts';
import type { EnvironmentSpec } from '../../shared/rl/vec-env.ts';
import type { DescriberState } from './describe-readings.ts';
import type { Describer, DescriberHost } from './describer.ts';

export interface PlayOptions {
  /** Groups without a player in `scripted` act at random. */
  readonly spec: EnvironmentSpec;
  /** Steps to play; a new episode begins when one ends. Null: one episode. */
  readonly steps: number | null;
  /** Steps between descriptions. */
  readonly every: number;
  readonly seed: number;
}

/** The text at one moment of a play. */
export interface DescribedStep {
  readonly episode: number;
  /** Steps taken in the episode. */
  readonly step: number;
  readonly text: string;
  /** It differs from the one before it in the episode. */
  readonly isNew: boolean;
}

/**
 * Plays an environment and tells its state along the way.
 * Seeds: episodes of the stream `seed`; random actions from it too.
 * Throws: what createVecEnv throws for the spec.
 */
export function describePlay(
  describer: Describer,
  { createVecEnv }: Pick<DescriberHost, 'createVecEnv'>,
  { spec, steps, every, seed }: PlayOptions,
): DescribedStep[] {
  const env = createVecEnv(spec, { numEnvs: 1, seed: BigInt(seed), firstEpisode: 0 });
  try {
    const actor = new RandomActor(env, seed);
    const actions = new Int32Array(env.numAgents);
    const told: DescribedStep[] = [];
    const moment = { episode: 0, step: 0, text: '', state: null as DescriberState | null };
    for (let taken = 0; ; taken++) {
      if (moment.step % every === 0) {
        const { text, state } = describer.describe({ env, copy: 0 }, moment.state);
        told.push({ episode: moment.episode, step: moment.step, text, isNew: text !== moment.text });
        Object.assign(moment, { text, state });
      }
      if (taken === steps) return told;
      actor.act(actions);
      env.step(actions);
      moment.step++;
      if (env.terminated[0] === 0 && env.truncated[0] === 0) continue;
      if (steps === null) return told;
      Object.assign(moment, { episode: moment.episode + 1, step: 0, text: '', state: null });
    }
  } finally {
    env.dispose();
  }
}
