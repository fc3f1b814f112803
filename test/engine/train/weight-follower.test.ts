import { describe, expect, test } from 'vitest';
import { WeightFollower } from '../../../src/engine/train/weight-follower.ts';
import type { ShapingInForce } from '../../../src/shared/rl/shaping.ts';

function shaping(course: Partial<ShapingInForce['course']>, weights: readonly number[]): ShapingInForce {
  const start = Float64Array.from(weights);
  const target = course.target ?? start.map(() => 1);
  const span = start.map((weight, c) => Math.abs(weight - (target[c] as number)));
  return {
    weights: start,
    joint: null,
    course: { target, span, smoothing: 0.2, freezeSteps: 0, changedAt: null, ...course },
  };
}

/** Weights of the first component in iterations of 100 steps, and how often the environment was told. */
function follow(given: ShapingInForce, iterations: number): { weights: number[]; told: number } {
  const follower = new WeightFollower(given);
  let told = 0;
  let current = given.weights[0] as number;
  const env = {
    setShapingWeights(weights: Float64Array) {
      told++;
      current = weights[0] as number;
    },
  };
  const weights = Array.from({ length: iterations }, (_, i) => {
    follower.advance(env, i * 100);
    return current;
  });
  return { weights, told };
}

describe('WeightFollower', () => {
  test('takes its share of what is left before every iteration', () => {
    const { weights } = follow(shaping({}, [0]), 3);
    expect(weights.map((weight) => weight.toFixed(12))).toEqual([
      '0.200000000000',
      '0.360000000000',
      '0.488000000000',
    ]);
  });

  test('without smoothing the first iteration has all of the change', () => {
    expect(follow(shaping({ smoothing: 1 }, [-4]), 2)).toEqual({ weights: [1, 1], told: 1 });
  });

  test('is there once a thousandth is left, and then tells the environment nothing more', () => {
    const { weights, told } = follow(shaping({}, [0]), 60);
    const arrived = weights.indexOf(1);
    expect(1 - 0.8 ** (arrived + 1)).toBeGreaterThan(0.999);
    expect(1 - 0.8 ** arrived).toBeLessThan(0.999);
    expect(told).toBe(arrived + 1);
  });

  test('weights are frozen for so many steps after a change, also after one of an earlier round', () => {
    const { weights } = follow(shaping({ smoothing: 0.5, freezeSteps: 250, changedAt: -100 }, [0]), 8);
    expect(weights).toEqual([0, 0, 0.5, 0.5, 0.5, 0.75, 0.75, 0.75]);
  });

  test('goes on from a state on record as it would have', () => {
    const given = shaping({ freezeSteps: 150 }, [0, 3]);
    const env = { setShapingWeights: () => {} };
    const whole = new WeightFollower(given);
    for (let i = 0; i < 5; i++) whole.advance(env, i * 100);
    const state = structuredClone(whole.state);
    const resumed = new WeightFollower(given);
    const told: number[][] = [];
    resumed.load({ setShapingWeights: (weights) => told.push([...weights]) }, state);
    expect(told).toEqual([[...state.weights]]);
    for (let i = 5; i < 12; i++) {
      whole.advance(env, i * 100);
      resumed.advance(env, i * 100);
      expect(resumed.state).toEqual(whole.state);
    }
  });

  test('tells what components weigh with their decay', () => {
    const follower = new WeightFollower(shaping({}, [0.5, 2]));
    const program = {
      components: [
        { name: 'a', halfLifeSteps: 0 },
        { name: 'b', halfLifeSteps: 100 },
      ],
    };
    expect(follower.points({ program } as never, 200, 700)).toEqual([
      { key: 'charts/weight/a', step: 700, value: 0.5 },
      { key: 'charts/weight/b', step: 700, value: 0.5 },
    ]);
  });
});
