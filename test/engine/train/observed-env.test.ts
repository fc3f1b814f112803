import { describe, expect, test } from 'vitest';
import { EpisodeWindow } from '../../../src/engine/train/episode-window.ts';
import { ObservedEnv } from '../../../src/engine/train/observed-env.ts';
import type { RecordableEnv } from '../../../src/shared/rl/playback.ts';
import { ToyEnv } from '../../support/toy/toy-env.ts';

const options = { numEnvs: 4, seed: 1n, firstEpisode: 0 };
const spec = { scenario: 'toy', parameters: {}, program: null, scripted: {} };

/** A toy batch whose program has the given regimes. */
function withRegimes(names: readonly string[]): { env: ObservedEnv; inner: RecordableEnv } {
  const toy = new ToyEnv(spec, options);
  const inner = Object.assign(toy, {
    spec: { ...spec, program: { regimes: names } },
  }) as unknown as RecordableEnv;
  return { env: new ObservedEnv(inner, new EpisodeWindow(EpisodeWindow.shapeOf(inner))), inner };
}

const actions = new Int32Array(8);

describe('takeRegimeShares', () => {
  test('tells which share of the steps copies spent in each regime since the last call', () => {
    const { env, inner } = withRegimes(['calm', 'storm']);
    inner.regimes.set([0, 0, 1, -1]);
    env.step(actions);
    inner.regimes.set([0, 1, 1, -1]);
    env.step(actions);
    expect(env.takeRegimeShares()).toEqual(
      new Map([
        ['calm', 3 / 6],
        ['storm', 3 / 6],
      ]),
    );
    expect(env.takeRegimeShares()).toEqual(new Map());
    env.step(actions);
    expect(env.takeRegimeShares().get('storm')).toBeCloseTo(2 / 3);
  });

  test('is empty without regimes', () => {
    const { env } = withRegimes([]);
    env.step(actions);
    expect(env.takeRegimeShares()).toEqual(new Map());
  });
});

test('records the states and actions of as many copies as asked, until told otherwise', () => {
  const { env } = withRegimes([]);
  env.record(2);
  env.step(Int32Array.of(1, 2, 0, 1, 2, 2, 0, 0));
  env.record(0);
  env.step(actions);
  const recorded = env.takeRecorded();
  expect(env.recordedCopies).toBe(0);
  expect(recorded.steps.map((step) => [...step.actions])).toEqual([
    [1, 2],
    [0, 1],
  ]);
  expect(recorded.begins).toEqual([]);
  expect(env.takeRecorded()).toEqual({ steps: [], begins: [] });
});

test('remembers which recorded steps begin an episode', () => {
  const { env } = withRegimes([]);
  env.record(2);
  for (let step = 0; step < 12; step++) env.step(actions);
  // Episodes of five steps, two copies side by side.
  expect(env.takeRecorded().begins).toEqual([10, 11, 20, 21]);
});

test('reads out the states of its batch, and makes its playback', () => {
  const { env, inner } = withRegimes([]);
  env.step(actions);
  const [states, expected] = [new Float64Array(4 * env.stateWords), new Float64Array(4)];
  env.copyStates(states);
  inner.copyStates(expected);
  expect(states).toEqual(expected);
  expect(states.some((word) => word !== 0)).toBe(true);
  while (env.truncated[0] === 0) env.step(actions);
  env.copyFinalStates(states);
  inner.copyFinalStates(expected);
  expect(states).toEqual(expected);
  const playback = { numEnvs: 3 };
  Object.assign(inner, { createPlayback: (numEnvs: number) => ({ ...playback, numEnvs }) });
  expect(env.createPlayback(3)).toEqual(playback);
});
