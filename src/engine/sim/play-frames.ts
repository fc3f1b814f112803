import type { Frame, FrameDetail } from '../../shared/rl/frame.ts';
import { RandomActor } from '../../shared/rl/random-actor.ts';
import type { EnvironmentSpec, VecEnv } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { type EpisodeActor, playEpisode } from './play-episode.ts';

/** Which steps of the episode are wanted: `from` on, up to `to` (null: its end), at most so many, evenly chosen. */
export interface FrameSteps {
  readonly from: number;
  readonly to: number | null;
  readonly most: number | null;
}

export interface FramePlay {
  readonly spec: EnvironmentSpec;
  /** Of the stream that the episode is of, and of random actions. */
  readonly seed: number;
  readonly episode: number;
  readonly steps: FrameSteps;
  readonly detail: FrameDetail;
  /** Those who play beside what `spec.scripted` names; agents that nobody plays act at random. */
  readonly actors?: (env: VecEnv) => readonly EpisodeActor[];
}

/** So many are kept at once. */
const maxFrames = 10_000;

/**
 * Plays one episode and gives frames of it: step 0 is its beginning, the last one what it came to.
 * Throws: input.invalid where the episode has no such step or too many are wanted; what createVecEnv throws; sim.badFrame.
 */
export async function playFrames(play: FramePlay): Promise<Frame[]> {
  const { spec, seed, episode, steps, detail, actors = () => [] } = play;
  if (steps.to !== null && steps.to < steps.from)
    throw new AppError(
      'input.invalid',
      `steps ${steps.from} to ${steps.to}: the last one comes before the first`,
    );
  const frames: Frame[] = [];
  let length = 0;
  const moments = playEpisode({
    spec,
    seed: BigInt(seed),
    episode,
    actors: (env) => [new RandomActor(env, seed, episode), ...actors(env)],
  });
  for await (const { env, step, isOver } of moments) {
    if (step >= steps.from) frames.push(isOver ? env.finalFrame(0, detail) : env.frame(0, detail));
    if (frames.length > maxFrames)
      throw new AppError('input.invalid', `more than ${maxFrames} frames are wanted: ask for fewer steps`);
    if (step === steps.to) return thinOut(frames, steps.most);
    length = step;
  }
  const missing = steps.to ?? (frames.length === 0 ? steps.from : null);
  if (missing === null) return thinOut(frames, steps.most);
  throw new AppError(
    'input.invalid',
    `episode ${episode} of ${spec.scenario} ends after step ${length}: it has no step ${missing}`,
    { data: { episode, length } },
  );
}

/** Evenly chosen ones, the first and the last among them. */
function thinOut(frames: readonly Frame[], most: number | null): Frame[] {
  if (most === null || frames.length <= most) return [...frames];
  const last = frames.length - 1;
  const chosen = Array.from({ length: most }, (_, i) => Math.round((i * last) / Math.max(1, most - 1)));
  return chosen.flatMap((index) => frames[index] ?? []);
}
