import { describe, expect, test } from 'vitest';
import type { Episode } from '../../../../src/engine/learn/data/episode.ts';
import { OpenEpisodes } from '../../../../src/engine/learn/data/open-episodes.ts';
import { TinyEnv, type TinyGame } from '../../../support/tiny-game.ts';

/** State (episode length, step); an episode of length n terminates at step n, and is cut off after 40. */
const counting: TinyGame = {
  name: 'counting',
  groups: [{ name: 'agent', agents: 2, obsDim: 1, numActions: 4 }],
  stateDim: 1,
  stateWords: 2,
  length: 40,
  begin: (rng) => [2 + 20 * rng.nextBelow(3), 0],
  view: ([, step = 0]) => ({ obs: [[step], [step]], state: [step] }),
  act: ([length = 0, step = 0], [a = 0, b = 0]) => ({
    next: [length, step + 1],
    rewards: [a, 10 * b],
    terminated: step + 1 === length,
  }),
};

function play(env: TinyEnv, open: OpenEpisodes, steps: number): Episode[] {
  const finished: Episode[] = [];
  for (let t = 0; t < steps; t++) {
    const actions = Int32Array.from({ length: env.numEnvs * 2 }, (_, i) => (i + t) % 4);
    env.step(actions);
    open.record(env, actions, (episode) => finished.push(episode));
  }
  return finished;
}

describe('OpenEpisodes', () => {
  test('hands over whole episodes: states before every step and after the last, actions, base rewards', () => {
    const env = new TinyEnv(counting, 3);
    env.reset(5n, 0);
    const open = new OpenEpisodes(env);
    open.begin(env, 5n);
    const finished = play(env, open, 90);
    expect(finished.length).toBeGreaterThan(6);
    for (const { seed, index, length, terminated, states, actions, base } of finished) {
      expect(seed).toBe(5n);
      const planned = states[0] as number;
      expect([length, terminated]).toEqual(planned > 40 ? [40, false] : [planned, true]);
      expect(states.length).toBe(2 * (length + 1));
      for (let t = 0; t <= length; t++) expect([...states.subarray(2 * t, 2 * t + 2)]).toEqual([planned, t]);
      for (let t = 0; t < length; t++) {
        const [a, b] = actions.subarray(2 * t, 2 * t + 2) as unknown as [number, number];
        expect([...base.subarray(2 * t, 2 * t + 2)]).toEqual([a, 10 * b]);
      }
      expect(index % 3).toBeLessThan(3);
    }
    expect(new Set(finished.map(({ index }) => index)).size).toBe(finished.length);
  });

  test('keeps what was paid where that is wanted, whatever becomes of the rewards later', () => {
    const env = new TinyEnv(counting, 3);
    const step = env.step.bind(env);
    env.step = (actions) => {
      step(actions);
      env.rewards.set(env.rewards.map((pay) => 3 * pay));
    };
    env.reset(5n, 0);
    const open = new OpenEpisodes(env, true);
    open.begin(env, 5n);
    for (const { length, base, paid } of play(env, open, 90)) {
      expect(paid).toHaveLength(2 * length);
      expect(paid).toEqual(base.map((pay) => 3 * pay));
    }
    const [episode] = play(env, new OpenEpisodes(env), 90);
    expect(episode?.paid).toHaveLength(0);
  });

  test('goes on from what was encoded in mid-episode', () => {
    const first = new TinyEnv(counting, 3);
    first.reset(5n, 0);
    const open = new OpenEpisodes(first);
    open.begin(first, 5n);
    play(first, open, 35);
    const pieces = open.encode().map((piece) => piece.slice());
    const second = new TinyEnv(counting, 3);
    for (let e = 0; e < 3; e++) second.restore(e, first.snapshot(e));
    const resumed = new OpenEpisodes(second);
    resumed.decode(Uint8Array.from(pieces.flatMap((piece) => [...piece])))();
    expect(play(second, resumed, 60)).toEqual(play(first, open, 60));
  });

  test('refuses what belongs to another number of copies', () => {
    const env = new TinyEnv(counting, 3);
    const pieces = new OpenEpisodes(new TinyEnv(counting, 2)).encode();
    const bytes = Uint8Array.from(pieces.flatMap((piece) => [...piece]));
    expect(() => new OpenEpisodes(env).decode(bytes)).toThrow(/2 unfinished episodes, not 3/);
  });
});
