import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/index.ts';
import { createVecEnv, scenarioNames } from '../../../src/engine/sim/index.ts';
import type { EnvironmentSpec } from '../../../src/shared/rl/vec-env.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { specWith } from '../../support/edl-episodes.ts';
import { playAgain, playFirstEpisodes, type SeenEpisode } from '../../support/first-episodes.ts';
import { simHost } from '../../support/sim-host.ts';

const folder = new URL('../../../resources/environments/', import.meta.url);
const host = {
  ...simHost(),
  text: (name: string) => ({ path: name, text: readFileSync(new URL(name, folder), 'utf8') }),
};
const seed = 31n;
const numEnvs = 5;
const trainingSteps = 500;

function record(spec: EnvironmentSpec, truncationEnds = false) {
  const env = createVecEnv(spec, { numEnvs, seed, firstEpisode: 5, gamma: 0.9, truncationEnds });
  env.setTrainingSteps(trainingSteps);
  env.reset(seed, 5);
  return { env, episodes: playFirstEpisodes(env, new CounterRng(3n, 0)) };
}

/** Steps that came out otherwise: "copy 3 step 7 worth". */
function differences(seen: readonly SeenEpisode[], episodes: readonly SeenEpisode[]): string[] {
  return episodes.flatMap((episode, copy) => {
    const again = seen[copy];
    const begin = again?.begin.equals(episode.begin) ? [] : [`copy ${copy} begin`];
    const steps = episode.steps.flatMap(({ moment, worth }, t) => [
      ...(again?.steps[t]?.moment.equals(moment) ? [] : [`copy ${copy} step ${t} moment`]),
      ...(again?.steps[t]?.worth.equals(worth) ? [] : [`copy ${copy} step ${t} worth`]),
    ]);
    return [...begin, ...steps];
  });
}

/** Pays by what the program draws and remembers. */
const windfalls = `
  reward windfall {
    for a in agent
    when recent(gust, 2 steps)
    give 0.5 * distance(a, landmark_0) to a
    limit 200% of nominal
  }
  event gust {
    every 3 steps with chance 50%
    for a in agent
    disturb push a by 0 m/s
  }
`;

describe('createPlayback', () => {
  test.each(scenarioNames())('has the bits of the steps of %s', (scenario) => {
    const { env, episodes } = record({ scenario, parameters: {}, program: null, scripted: {} });
    expect(differences(playAgain(env.createPlayback(numEnvs), episodes, seed), episodes)).toEqual([]);
  });

  test.each(readdirSync(folder))(
    'has the bits of the steps of %s, with all that its program does',
    (name) => {
      const { environment } = compile(readFileSync(new URL(name, folder), 'utf8'), host);
      if (environment === null) throw new Error(`${name} does not compile`);
      const { env, episodes } = record(environment.spec);
      const playback = env.createPlayback(numEnvs);
      playback.setTrainingSteps(trainingSteps);
      expect(differences(playAgain(playback, episodes, seed), episodes)).toEqual([]);
    },
  );

  test('values a record by its own program, whatever it was recorded under', () => {
    // Nothing of the program moves anything: both play the same episodes.
    const plain = record(specWith(''));
    const valued = record(specWith(windfalls));
    expect(differences(valued.episodes, plain.episodes)).not.toEqual([]);
    const seen = playAgain(valued.env.createPlayback(numEnvs), plain.episodes, seed);
    expect(differences(seen, valued.episodes)).toEqual([]);
    const back = playAgain(plain.env.createPlayback(numEnvs), valued.episodes, seed);
    expect(differences(back, plain.episodes)).toEqual([]);
  });

  test('knows by which learner potentials are valued', () => {
    const pulled = specWith(
      'reward pull { for a in agent give distance(a, landmark_0) / 1 m to a potential }',
    );
    const [ends, goesOn] = [record(pulled, true), record(pulled, false)];
    expect(
      differences(playAgain(ends.env.createPlayback(numEnvs), ends.episodes, seed), ends.episodes),
    ).toEqual([]);
    const last = ends.episodes.map(({ steps }, copy) => `copy ${copy} step ${steps.length - 1} worth`);
    expect(differences(goesOn.episodes, ends.episodes)).toEqual(last);
  });

  test('draws what was drawn in the stream that an episode is of', () => {
    const { env, episodes } = record(specWith(windfalls));
    const playback = env.createPlayback(numEnvs);
    const other = differences(playAgain(playback, episodes, seed + 1n), episodes);
    expect(other.length).toBeGreaterThan(10);
    expect(other.every((difference) => difference.endsWith('worth'))).toBe(true);
    expect(differences(playAgain(playback, episodes, seed), episodes)).toEqual([]);
  });
});

describe('a playback', () => {
  const spread: EnvironmentSpec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };
  const open = () => {
    const env = createVecEnv(spread, { numEnvs: 2, seed, firstEpisode: 0 });
    const first = new Float64Array(2 * env.stateWords);
    env.copyStates(first);
    const [seeds, indices] = [new BigUint64Array(2), new Float64Array(2)];
    const base = new Float32Array(2 * env.numAgents * env.manifest.components.length);
    return { env, playback: env.createPlayback(2), first, seeds, indices, base };
  };

  test('keeps its arrays', () => {
    const { playback, first, seeds, indices, base } = open();
    const { obs, rewards } = playback;
    playback.begin(first, seeds, indices);
    playback.step(first, base, new Uint8Array(2));
    expect([playback.obs, playback.rewards]).toEqual([obs, rewards]);
    expect(playback.obs).toBe(obs);
  });

  test('refuses words that are no state, and stays as it was', () => {
    const { playback, first, seeds, indices, base } = open();
    playback.begin(first, seeds, indices);
    const before = playback.obs.slice();
    const bad = first.map(() => Number.NaN);
    const refusal = expect.objectContaining({
      code: 'sim.badRecord',
      message: 'a record cannot be played: the state of copy 0 is not one of simple_spread',
    });
    expect(() => playback.step(bad, base, new Uint8Array(2))).toThrow(refusal);
    expect(() => playback.begin(bad, seeds, indices)).toThrow(refusal);
    expect(playback.obs).toEqual(before);
    expect(() => playback.step(first, base.fill(Number.NaN), new Uint8Array(2))).toThrow(
      'reward component of copy 0',
    );
    expect(() => playback.begin(first, seeds, indices.fill(0.5))).toThrow(
      'copy 0 has no index of an episode',
    );
  });

  test('names the argument that has another type or length', () => {
    const { playback, first, seeds, indices, base } = open();
    const ended = new Uint8Array(2);
    expect(() => playback.begin(first.subarray(1), seeds, indices)).toThrow(/^first must be of length/);
    expect(() => playback.begin(first, indices as never, indices)).toThrow(/^seeds must be a BigUint64Array/);
    expect(() => playback.begin(first, seeds, base as never)).toThrow(/^episodes must be a Float64Array/);
    expect(() => playback.step(base as never, base, ended)).toThrow(/^next must be a Float64Array/);
    expect(() => playback.step(first, base.subarray(1), ended)).toThrow(/^base must be of length/);
    expect(() => playback.step(first, base, new Uint8Array(3))).toThrow(/^ended must be of length 2/);
    expect(() => playback.setTrainingSteps(-1)).toThrow(/^steps must be/);
  });

  test('refuses no copies, and everything once it is disposed or its memory is gone', () => {
    const { env, playback, first, seeds, indices } = open();
    expect(() => env.createPlayback(0)).toThrow(/^options\.numEnvs must be/);
    playback.dispose();
    expect(() => playback.begin(first, seeds, indices)).toThrow('the Playback is disposed');
    const other = env.createPlayback(2);
    structuredClone(other.obs, { transfer: [other.obs.buffer as ArrayBuffer] });
    expect(() => other.begin(first, seeds, indices)).toThrow(
      'an output array of the Playback was transferred',
    );
  });
});

describe('copyStates, copyFinalStates', () => {
  test('name the argument that does not fit', () => {
    const env = createVecEnv(specWith(''), { numEnvs: 2, seed, firstEpisode: 0 });
    expect(() => env.copyStates(new Float64Array(1))).toThrow(/^out must be of length/);
    expect(() => env.copyFinalStates(new Float32Array(2) as never)).toThrow(/^out must be a Float64Array/);
  });

  test('leave rows of copies alone that did not end', () => {
    const env = createVecEnv(specWith('set episode.length = 2 steps'), { numEnvs: 2, seed, firstEpisode: 0 });
    const out = new Float64Array(2 * env.stateWords).fill(7);
    env.step(new Int32Array(6));
    env.copyFinalStates(out);
    expect(out.every((word) => word === 7)).toBe(true);
    env.step(new Int32Array(6));
    env.copyFinalStates(out);
    expect(out.includes(7)).toBe(false);
  });
});
