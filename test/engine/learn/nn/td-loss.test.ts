import { describe, expect, test } from 'vitest';
import { Graph } from '../../../../src/engine/learn/graph/graph.ts';
import { tdLoss, tdTargets } from '../../../../src/engine/learn/nn/td-loss.ts';
import { prepare } from '../../../support/run-graph.ts';

/** Three steps of two episodes; the second has two steps and one of padding. Columns t·2 + b. */
async function targets(
  tdLambda: number,
  { ends = 0, stair = false }: { readonly ends?: number; readonly stair?: boolean } = {},
): Promise<number[] | undefined> {
  const g = new Graph();
  const count = stair ? 5 : 6;
  const input = (name: string) => g.input(name, [1, count], 'f64');
  const batch = { rewards: input('rewards'), discounts: input('discounts'), carry: input('carry') };
  const y = tdTargets(g, batch, input('next'), { widths: stair ? [2, 2, 1] : [2, 2, 2], tdLambda });
  const run = await prepare(g, { y });
  const result = await run({
    rewards: [1, 1, 2, 2, 3, 0].slice(0, count),
    // γ = 0.5; `ends` stands at the last step of each episode.
    discounts: [0.5, 0.5, 0.5, ends, ends, 0].slice(0, count),
    carry: [tdLambda, tdLambda, tdLambda, 0, 0, 0].slice(0, count),
    next: [10, 20, 30, 40, 50, 60].slice(0, count),
  });
  return result.y;
}

describe('tdTargets', () => {
  test('are r + γ Q of the step after, and r alone where the episode terminates', async () => {
    expect(await targets(0)).toEqual([1 + 5, 1 + 10, 2 + 15, 2, 3, 0]);
  });

  test('value a time-out by what follows', async () => {
    expect(await targets(0, { ends: 0.5 })).toEqual([6, 11, 17, 2 + 20, 3 + 25, 0]);
  });

  test('are discounted sums of rewards with λ = 1, bootstrapped at a time-out alone', async () => {
    // From behind: 3; 2 + 0.5·3; 1 + 0.5·3.5 and 2; 1 + 0.5·2.
    expect(await targets(1)).toEqual([2.75, 2, 3.5, 2, 3, 0]);
    expect(await targets(1, { ends: 0.5 })).toEqual([1 + 0.5 * 16, 1 + 0.5 * 22, 2 + 0.5 * 28, 22, 28, 0]);
  });

  test('lie between with λ = 0.25: 1 + 0.5 (0.75·10 + 0.25·y) and so on', async () => {
    const second = 2 + 0.5 * (0.75 * 30 + 0.25 * 3);
    expect(await targets(0.25)).toEqual([
      1 + 0.5 * (7.5 + 0.25 * second),
      1 + 0.5 * (15 + 0.25 * 2),
      second,
      2,
      3,
      0,
    ]);
  });
});

describe('tdTargets of episodes that end before others', () => {
  test.each([0, 0.25, 1])('with λ = %f are those of padded ones', async (tdLambda) => {
    expect(await targets(tdLambda, { stair: true, ends: 0.5 })).toEqual(
      (await targets(tdLambda, { ends: 0.5 }))?.slice(0, 5),
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
