import { describe, expect, test } from 'vitest';
import { createVecEnv, playFrames, scenarioNames } from '../../../src/engine/sim/index.ts';
import { castOf, type Frame, shapesOf } from '../../../src/shared/rl/frame.ts';
import type { EnvironmentSpec } from '../../../src/shared/rl/vec-env.ts';
import { specWith } from '../../support/edl-episodes.ts';

const plain = (scenario: string, parameters: Record<string, number> = {}): EnvironmentSpec => ({
  scenario,
  parameters,
  program: null,
  scripted: {},
});

const open = (spec: EnvironmentSpec, numEnvs = 2) =>
  createVecEnv(spec, { numEnvs, seed: 4n, firstEpisode: 0 });

const steps = (from: number, to: number | null = null, most: number | null = null) => ({ from, to, most });

const play = (spec: EnvironmentSpec, wanted = steps(0), episode = 0) =>
  playFrames({ spec, seed: 4, episode, steps: wanted, detail: {} });

describe('frame', () => {
  test.each(scenarioNames())(
    'of %s tells of every agent that is alive, where its state has it',
    (scenario) => {
      const env = open(plain(scenario));
      env.step(new Int32Array(2 * env.numAgents).fill(0));
      for (const copy of [0, 1]) {
        const frame = env.frame(copy);
        const bodies = shapesOf(frame).filter(
          ({ kind, entity, flags }) =>
            kind === 'disc' && entity !== null && entity < env.numAgents && !flags.includes('dead'),
        );
        const active = env.active.subarray(copy * env.numAgents, (copy + 1) * env.numAgents);
        expect(bodies.map(({ entity }) => entity).sort((a, b) => Number(a) - Number(b))).toEqual(
          [...active.keys()].filter((agent) => active[agent] === 1),
        );
        expect(frame).toMatchObject({ episode: copy, step: 1, regime: null });
      }
    },
  );

  test('positions are those that are observed', () => {
    const env = open(plain('simple_spread'));
    const agents = shapesOf(env.frame(1)).filter(({ role }) => role === 'agent');
    agents.forEach(({ x, y }, a) => {
      const own = env.obs.subarray((env.numAgents + a) * env.obsDim + 2);
      expect([x, y]).toEqual([own[0], own[1]]);
    });
  });

  test('a copy that is not there, or a detail that is none, is refused by name', () => {
    const env = open(plain('simple'));
    expect(() => env.frame(2)).toThrow(/^env must be a whole number in 0\.\.1/);
    expect(() => env.frame(-1)).toThrow(RangeError);
    expect(() => env.frame(0.5)).toThrow(RangeError);
    expect(() => env.frame(0, { ranges: 1 as never })).toThrow(/^detail\.ranges must be a boolean/);
    expect(() => env.finalFrame(0)).toThrow(/^env must be a copy whose episode ended/);
    env.dispose();
    expect(() => env.frame(0)).toThrow('the VecEnv is disposed');
  });

  test('asking for frames moves nothing', () => {
    const [watched, other] = [open(plain('capture')), open(plain('capture'))];
    for (let t = 0; t < 5; t++) {
      watched.frame(t % 2, { ranges: true, sights: true });
      for (const env of [watched, other]) env.step(new Int32Array(2 * env.numAgents));
    }
    expect(watched.stateHash()).toBe(other.stateHash());
    expect(watched.obs).toEqual(other.obs);
  });

  test('names the regime that the copy is in', () => {
    const env = open(specWith('regime calm default "Calm"\nschedule { start calm }'));
    expect(env.frame(0).regime).toBe('calm');
  });
});

describe('finalFrame', () => {
  test('is the end of an episode, frame the beginning of the next', () => {
    const env = open(plain('simple_spread', { 'episode.length': 2 }));
    env.step(new Int32Array(6));
    env.step(new Int32Array(6));
    expect(env.finalFrame(1)).toMatchObject({ episode: 1, step: 2 });
    expect(env.frame(1)).toMatchObject({ episode: 3, step: 0 });
    const [, , x, y] = env.finalObs.subarray(env.numAgents * env.obsDim);
    const first = shapesOf(env.finalFrame(1)).find(({ role }) => role === 'agent');
    expect([first?.x, first?.y]).toEqual([x, y]);
  });
});

describe('a playback', () => {
  test('has the frames of the batch that it is of', () => {
    const env = open(plain('skirmish'), 1);
    const playback = env.createPlayback(1);
    const state = new Float64Array(env.stateWords);
    env.copyStates(state);
    playback.begin(state, new BigUint64Array([4n]), new Float64Array([0]));
    expect(playback.frame(0)).toEqual(env.frame(0));
    const base = new Float32Array(env.numAgents * env.manifest.components.length);
    for (let t = 0; t < 6; t++) {
      env.step(new Int32Array(env.numAgents).fill(t % 4));
      env.copyStates(state);
      playback.step(state, base, new Uint8Array(1));
      expect(playback.frame(0, { sights: true })).toEqual(env.frame(0, { sights: true }));
    }
    expect(() => playback.frame(1)).toThrow(/^env must be/);
  });
});

describe('playFrames', () => {
  test('gives every step of an episode, its end the last', async () => {
    const frames = await play(plain('simple_spread'));
    expect(frames.map(({ step }) => step)).toEqual(Array.from({ length: 26 }, (_, i) => i));
    expect(new Set(frames.map(({ episode }) => episode))).toEqual(new Set([0]));
  });

  test('is the same for the same seed, and another for another episode', async () => {
    const [first, again, other] = [
      await play(plain('foraging')),
      await play(plain('foraging')),
      await play(plain('foraging'), steps(0), 1),
    ];
    expect(again).toEqual(first);
    expect(other[0]?.numbers).not.toEqual(first[0]?.numbers);
    expect(other[0]?.episode).toBe(1);
  });

  test('gives the steps that are wanted, evenly chosen where there are too many', async () => {
    expect((await play(plain('simple'), steps(3, 5))).map(({ step }) => step)).toEqual([3, 4, 5]);
    expect((await play(plain('simple'), steps(0, 25, 6))).map(({ step }) => step)).toEqual([
      0, 5, 10, 15, 20, 25,
    ]);
    expect((await play(plain('simple'), steps(7, 9, 1))).map(({ step }) => step)).toEqual([7]);
  });

  test.each([
    [steps(26), 'ends after step 25: it has no step 26'],
    [steps(0, 40), 'ends after step 25: it has no step 40'],
    [steps(4, 2), 'the last one comes before the first'],
  ])('steps %j are refused', async (wanted, message) => {
    await expect(play(plain('simple'), wanted)).rejects.toThrow(
      expect.objectContaining({ code: 'input.invalid', message: expect.stringContaining(message) }),
    );
  });

  test('lets actors choose, and agents that nobody plays act at random', async () => {
    const spec = plain('simple_push');
    const still = (frames: readonly Frame[], role: string) =>
      new Set(frames.map((frame) => shapesOf(frame).find((each) => each.role === role)?.x)).size === 1;
    const frames = await playFrames({
      spec,
      seed: 1,
      episode: 0,
      steps: steps(0),
      detail: {},
      actors: () => [{ act: (actions) => void actions.set([0]) }],
    });
    expect([still(frames.slice(0, 3), 'adversary'), still(frames, 'good')]).toEqual([true, false]);
  });

  test('a hundred frames of the largest battle are a few hundred kB', async () => {
    const manifest = open(plain('skirmish')).manifest;
    const map = manifest.parameters.find(({ name }) => name === 'map')?.choices.indexOf('27m_vs_30m') ?? -1;
    const spec = { ...plain('skirmish', { map }), scripted: { ally: 'closest', enemy: 'closest' } };
    const env = open(spec, 1);
    expect(castOf(env.manifest).entities).toHaveLength(60);
    let bytes = 0;
    for (let t = 0; t < 100; t++) {
      env.step(new Int32Array(57));
      const { numbers, codes, texts } = env.frame(0);
      bytes += numbers.byteLength + codes.byteLength + JSON.stringify(texts).length;
    }
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(500_000);
  });
});
