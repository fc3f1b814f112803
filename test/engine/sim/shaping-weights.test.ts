import { describe, expect, test } from 'vitest';
import { createVecEnv } from '../../../src/engine/sim/index.ts';
import type { EnvironmentSpec } from '../../../src/shared/rl/vec-env.ts';
import { CounterRng } from '../../../src/shared/std/rng.ts';
import { specWith } from '../../support/edl-episodes.ts';
import { playAgain, playFirstEpisodes } from '../../support/first-episodes.ts';

const seed = 5n;
const shaped = specWith(`
  reward closer { for a in agent give -5 * distance(a, nearest(landmark)) to a potential }
  reward early { for a in agent give 0.3 to a decay half every 200 steps }
  reward near { for a in agent when distance(a, nearest(landmark)) < 0.5 m give 0.5 to a limit 20% of nominal }
`);

function inForce(weights: readonly number[], limit: number | null = null): EnvironmentSpec {
  const start = Float64Array.from(weights);
  return {
    ...shaped,
    shaping: {
      weights: start,
      joint: limit === null ? null : { components: [1, 2], limit },
      course: { target: start, span: start, smoothing: 1, freezeSteps: 0, changedAt: null },
    },
  };
}

function play(spec: EnvironmentSpec, weights?: readonly number[]) {
  const env = createVecEnv(spec, { numEnvs: 5, seed, firstEpisode: 5, gamma: 0.9 });
  env.setTrainingSteps(150);
  if (weights !== undefined) env.setShapingWeights(Float64Array.from(weights));
  env.reset(seed, 5);
  return { env, episodes: playFirstEpisodes(env, new CounterRng(3n, 0)) };
}

describe('setShapingWeights', () => {
  test('is as if the environment had begun with those weights', () => {
    const weights = [0.25, -2, 0.7];
    const { env, episodes } = play(shaped, weights);
    expect(env.shapingWeights).toEqual(Float64Array.from(weights));
    expect(play(inForce(weights)).episodes).toEqual(episodes);
    expect(play(shaped).episodes).not.toEqual(episodes);
    expect(play(inForce([1, 1, 1])).episodes).toEqual(play(shaped).episodes);
  });

  test('a record is valued as a fresh play under the weights in force, however they moved while it was made', () => {
    const { env, episodes } = play(inForce([0, 0, 0], 0.8));
    const playback = env.createPlayback(5);
    playback.setTrainingSteps(150);
    for (const weights of [
      [1, 1, 1],
      [0.36, 0.5, 2],
      [-1, 0, 0.1],
    ]) {
      playback.setShapingWeights(Float64Array.from(weights));
      const fresh = play(inForce(weights, 0.8)).episodes.map(({ begin, steps }) => ({ begin, steps }));
      expect(playAgain(playback, episodes, seed)).toEqual(fresh);
    }
  });

  test('refuses what are no weights of the program', () => {
    const { env } = play(shaped);
    expect(() => env.setShapingWeights(new Float64Array(2))).toThrow(/^weights must/);
    expect(() => env.setShapingWeights(Float64Array.of(1, Number.NaN, 1))).toThrow(/^weights\[1] must/);
    expect(() => play(inForce([1, 1]))).toThrow(/^spec.shaping.weights must/);
    const joint = { components: [0], limit: 1 };
    const potential = { ...inForce([1, 1, 1]), shaping: { ...inForce([1, 1, 1]).shaping, joint } };
    expect(() => play(potential as EnvironmentSpec)).toThrow(/^spec.shaping.joint.components\[0] must/);
  });
});
