import type { PlaybackEnv, RecordableEnv } from '../../src/shared/rl/playback.ts';
import type { CounterRng } from '../../src/shared/std/rng.ts';

/** What a batch shows of a state, and what a step to it was worth, as bytes of all that there is per copy. */
export interface SeenStep {
  readonly moment: Buffer;
  readonly worth: Buffer;
}

export interface SeenEpisode {
  readonly begin: Buffer;
  readonly steps: readonly SeenStep[];
}

/** The first episode of one copy: its record, and what was seen. */
export interface FirstEpisode extends SeenEpisode {
  readonly index: number;
  readonly ended: 1 | 2;
  /** [T+1] of [W]. */
  readonly states: readonly Float64Array[];
  /** [T] of [A,Cb]. */
  readonly base: readonly Float32Array[];
}

type Outputs = Pick<PlaybackEnv, 'obs' | 'state' | 'availActions' | 'active' | 'rewards' | 'components'>;

const rowOf = <T extends Float32Array | Float64Array | Uint8Array>(
  all: T,
  copy: number,
  copies: number,
): T => {
  const width = all.length / copies;
  return all.slice(copy * width, (copy + 1) * width) as T;
};

function bytesOf(arrays: readonly (Float32Array | Uint8Array)[], copy: number, copies: number): Buffer {
  const rows = arrays.map((array) => rowOf(array, copy, copies));
  return Buffer.concat(rows.map((row) => Buffer.from(row.buffer, row.byteOffset, row.byteLength)));
}

const momentOf = ({ obs, state, availActions, active }: Outputs, copy: number, copies: number): Buffer =>
  bytesOf([obs, state, availActions, active], copy, copies);

const worthOf = ({ rewards, components }: Outputs, copy: number, copies: number): Buffer =>
  bytesOf([rewards, components], copy, copies);

/** Uniformly drawn legal actions [E,A]. */
export function drawLegal({ availActions, numActions }: RecordableEnv, rng: CounterRng): Int32Array {
  return Int32Array.from({ length: availActions.length / numActions }, (_, row) => {
    const legal = availActions.subarray(row * numActions, (row + 1) * numActions);
    let left = rng.nextBelow(legal.reduce((sum, flag) => sum + flag, 0));
    return legal.findIndex((flag) => flag === 1 && left-- === 0);
  });
}

/** Plays until every copy has ended an episode. The batch stands at the beginning of its stream. */
export function playFirstEpisodes(env: RecordableEnv, rng: CounterRng): FirstEpisode[] {
  const { numEnvs, numAgents, numComponents } = env;
  const states = new Float64Array(numEnvs * env.stateWords);
  const finals = new Float64Array(states.length);
  const numBase = env.manifest.components.length;
  env.copyStates(states);
  const open = Array.from({ length: numEnvs }, (_, copy) => ({
    begin: momentOf(env, copy, numEnvs),
    states: [rowOf(states, copy, numEnvs)],
    base: [] as Float32Array[],
    steps: [] as SeenStep[],
  }));
  const done: (FirstEpisode | undefined)[] = Array.from({ length: numEnvs });
  while (done.includes(undefined)) {
    env.step(drawLegal(env, rng));
    env.copyStates(states);
    env.copyFinalStates(finals);
    for (const [copy, episode] of open.entries()) {
      if (done[copy] !== undefined) continue;
      const hasEnded = env.terminated[copy] === 1 || env.truncated[copy] === 1;
      const components = rowOf(env.components, copy, numEnvs);
      episode.base.push(
        Float32Array.from({ length: numAgents * numBase }, (_, i) => {
          return components[Math.floor(i / numBase) * numComponents + (i % numBase)] as number;
        }),
      );
      episode.states.push(rowOf(hasEnded ? finals : states, copy, numEnvs));
      const shown = hasEnded ? lastOf(env) : env;
      episode.steps.push({ moment: momentOf(shown, copy, numEnvs), worth: worthOf(env, copy, numEnvs) });
      if (!hasEnded) continue;
      const ended = env.terminated[copy] === 1 ? 1 : 2;
      done[copy] = { ...episode, index: env.endedEpisode[copy] as number, ended };
    }
  }
  return done.filter((episode) => episode !== undefined);
}

function lastOf(env: RecordableEnv): Outputs {
  const { finalObs: obs, finalState: state, finalAvailActions: availActions, finalActive: active } = env;
  return { obs, state, availActions, active, rewards: env.rewards, components: env.components };
}

/** Plays records again, one in each copy; what is seen of each, for as long as its episode goes on. */
export function playAgain(
  playback: PlaybackEnv,
  episodes: readonly FirstEpisode[],
  seed: bigint,
): SeenEpisode[] {
  const { numEnvs } = playback;
  const [{ states, base }] = episodes as [FirstEpisode];
  const width = states[0]?.length ?? 0;
  const baseWidth = base[0]?.length ?? 0;
  const first = new Float64Array(numEnvs * width);
  for (const [copy, episode] of episodes.entries()) first.set(episode.states[0] ?? [], copy * width);
  const seeds = new BigUint64Array(numEnvs).fill(seed);
  playback.begin(
    first,
    seeds,
    Float64Array.from(episodes, ({ index }) => index),
  );
  const seen = episodes.map((_, copy) => ({
    begin: momentOf(playback, copy, numEnvs),
    steps: [] as SeenStep[],
  }));
  const longest = Math.max(...episodes.map(({ steps }) => steps.length));
  for (let t = 0; t < longest; t++) {
    const next = new Float64Array(numEnvs * width);
    const paid = new Float32Array(numEnvs * baseWidth);
    const ended = new Uint8Array(numEnvs);
    for (const [copy, episode] of episodes.entries()) {
      next.set(episode.states[t + 1] ?? [], copy * width);
      paid.set(episode.base[t] ?? [], copy * baseWidth);
      if (t === episode.steps.length - 1) ended[copy] = episode.ended;
    }
    playback.step(next, paid, ended);
    for (const [copy, { steps }] of episodes.entries()) {
      if (t >= steps.length) continue;
      const [moment, worth] = [momentOf(playback, copy, numEnvs), worthOf(playback, copy, numEnvs)];
      seen[copy]?.steps.push({ moment, worth });
    }
  }
  return seen;
}
