import { afterAll, describe, expect, test } from 'vitest';
import { endingProblems, outputProblems } from '../../../src/engine/sim/check-outputs.ts';
import { createVecEnv } from '../../../src/engine/sim/create-vec-env.ts';
import { legalActions } from '../../../src/engine/sim/random-actions.ts';

describe('what a scenario shows', () => {
  const spec = { scenario: 'simple_spread', parameters: {}, program: null, scripted: {} };
  const env = createVecEnv(spec, { numEnvs: 3, seed: 1n, firstEpisode: 0 });
  afterAll(() => env.dispose());
  for (let step = 0; step < 25; step++) env.step(legalActions(env.availActions, env.numActions, step));

  test('is in order in a built-in scenario', () => {
    expect([...env.truncated]).toEqual([1, 1, 1]);
    expect(outputProblems(env)).toEqual([]);
    expect(endingProblems(env, 1)).toEqual([]);
  });

  test('a metric beyond its bounds is found in the copy that has it, no value is none', () => {
    const width = env.metrics.length;
    const ratio = env.metrics.findIndex(({ name }) => name === 'exploration_ratio');
    const at = width * env.numAgents + width + ratio;
    for (const [value, found] of [
      [1.5, 1],
      [-0.5, 1],
      [Infinity, 1],
      [Number.NaN, 0],
      [1, 0],
    ] as const) {
      env.episodeMetrics[at] = value;
      expect(endingProblems(env, 0)).toEqual([]);
      expect(endingProblems(env, 1)).toEqual(
        found ? ['metric exploration_ratio is not within its bounds 0 .. 1'] : [],
      );
    }
  });

  test('what is no number, and masks without an action, are found', () => {
    env.obs[0] = Number.NaN;
    env.rewards[1] = Infinity;
    env.availActions.fill(0, 0, env.numActions);
    env.finalObs[0] = Number.NaN;
    expect(outputProblems(env)).toEqual([
      'an observation is not a finite number',
      'a reward is not a finite number',
      'an agent has no legal action',
    ]);
    expect(endingProblems(env, 0)).toEqual(['a last observation is not a finite number']);
  });
});

test('legal actions are drawn from those that the mask leaves, all of them, and 0 where it leaves none', () => {
  const masks = Uint8Array.from([0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]);
  const seen = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (let seed = 0; seed < 50; seed++) {
    for (const [row, action] of legalActions(masks, 4, seed).entries()) seen[row]?.add(action);
  }
  expect(seen).toEqual([new Set([1, 3]), new Set([0]), new Set([0])]);
});
