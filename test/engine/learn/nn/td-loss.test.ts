import { describe, expect, test } from 'vitest';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import { tdLoss, tdTargets } from '../../../../src/engine/learn/nn/td-loss.ts';
import { prepare } from '../../../support/run-graph.ts';

/** Moments of two episodes, of three steps and of two: [0, 0, 1, 1, 2, 2, 3] are their times. */
async function targets(tdLambda: number, ends = 0): Promise<number[] | undefined> {
  const g = new Graph();
  const input = (name: string) => g.input(name, [1, 7], 'f64');
  const batch = {
    rewards: input('rewards'),
    discounts: input('discounts'),
    carry: input('carry'),
    following: g.input('following', [7], 'i32'),
  };
  const y = tdTargets(g, batch, input('best'), { numSteps: 3, tdLambda });
  const run = await prepare(g, { y });
  const result = await run({
    rewards: [1, 1, 2, 2, 3, 0, 0],
    // γ = 0.5; `ends` stands at the last step of each episode.
    discounts: [0.5, 0.5, 0.5, ends, ends, 0, 0],
    carry: [tdLambda, tdLambda, tdLambda, 0, 0, 0, 0],
    following: [2, 3, 4, 5, 6, 5, 6],
    best: [-1, -2, 10, 20, 30, 40, 50],
  });
  expect(result.y?.slice(5)).toEqual([0, 0]);
  return result.y?.slice(0, 5);
}

describe('tdTargets', () => {
  test('are r + γ Q of the step after, and r alone where the episode terminates', async () => {
    expect(await targets(0)).toEqual([1 + 5, 1 + 10, 2 + 15, 2, 3]);
  });

  test('value a time-out by what follows', async () => {
    expect(await targets(0, 0.5)).toEqual([6, 11, 17, 2 + 20, 3 + 25]);
  });

  test('are discounted sums of rewards with λ = 1, bootstrapped at a time-out alone', async () => {
    // From behind: 3; 2 + 0.5·3; 1 + 0.5·3.5 and 2; 1 + 0.5·2.
    expect(await targets(1)).toEqual([2.75, 2, 3.5, 2, 3]);
    expect(await targets(1, 0.5)).toEqual([1 + 0.5 * 16, 1 + 0.5 * 22, 2 + 0.5 * 28, 22, 28]);
  });

  test('lie between with λ = 0.25: 1 + 0.5 (0.75·10 + 0.25·y) and so on', async () => {
    const second = 2 + 0.5 * (0.75 * 30 + 0.25 * 3);
    expect(await targets(0.25)).toEqual([
      1 + 0.5 * (7.5 + 0.25 * second),
      1 + 0.5 * (15 + 0.25 * 2),
      second,
      2,
      3,
    ]);
  });
});

describe('tdTargets of an episode of eleven steps', () => {
  test('add up from behind, step by step', async () => {
    const g = new Graph();
    const row = (values: readonly number[]) => g.constant(values, [1, 12], 'f64');
    const times = Array.from({ length: 12 }, (_, t) => t);
    const [rewards, best] = [times.map((t) => Math.cos(t)), times.map((t) => Math.sin(3 * t))];
    const batch = {
      rewards: row(rewards.with(11, 0)),
      discounts: row(times.map((t) => (t < 11 ? 0.9 : 0))),
      carry: row(times.map((t) => (t < 10 ? 0.7 : 0))),
      following: g.constant(
        times.map((t) => Math.min(t + 1, 11)),
        [12],
        'i32',
      ),
    };
    const y = tdTargets(g, batch, row(best), { numSteps: 11, tdLambda: 0.7 });
    const expected = Array<number>(12).fill(0);
    for (let t = 10; t >= 0; t--) {
      const lambda = t < 10 ? 0.7 : 0;
      const later = (1 - lambda) * (best[t + 1] as number) + lambda * (expected[t + 1] as number);
      expected[t] = (rewards[t] as number) + 0.9 * later;
    }
    expect((await (await prepare(g, { y }))({})).y).toEqual(
      expected.map((value) => expect.closeTo(value, 12)),
    );
  });
});

describe('tdLoss', () => {
  test('is the mean squared error over what has weight', async () => {
    const g = new Graph();
    const [q, y, w] = ['q', 'y', 'w'].map((name) => g.input(name, [1, 3], 'f64')) as [
      ReturnType<Graph['input']>,
      ReturnType<Graph['input']>,
      ReturnType<Graph['input']>,
    ];
    const { loss, statistics } = tdLoss(g, q, y, w);
    const result = await (await prepare(g, { loss, statistics }))({
      q: [1, 2, 99],
      y: [3, 5, -99],
      w: [0.5, 0.5, 0],
    });
    expect(result.loss).toEqual([6.5]);
    expect(result.statistics).toEqual([6.5, 1.5, 4]);
  });
});
