import { describe, expect, test } from 'vitest';
import { Minibatches } from '../../../../src/engine/learn/data/minibatches.ts';
import { RolloutBuffer } from '../../../../src/engine/learn/data/rollout-buffer.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

/** Five rows of two observations and three actions; row i holds numbers that tell i. */
function createBuffer(): RolloutBuffer {
  const buffer = new RolloutBuffer({ firstAgent: 0, numAgents: 1, obsDim: 2, numActions: 3 }, 5, 1);
  for (let i = 0; i < 5; i++) {
    buffer.obs.set([i, i + 0.5, 1], i * 3);
    buffer.actions[i] = i % 3;
    buffer.logProbs[i] = -i;
    buffer.advantages[i] = 10 * i;
    buffer.returns[i] = 100 + 4 * i;
  }
  return buffer;
}

/** Single rows, three to a minibatch. */
const rowByRow = { numSteps: 1, numAgents: 1, slices: [3], hasOldValues: false, criticRowOf: () => 0 };

const scale = { returnMean: 100, returnDeviation: 2, normAdv: false };

/** Two minibatches of three: the second one lacks a row. */
function deal(buffer = createBuffer(), options = scale, seed = 1n): Minibatches {
  const minibatches = new Minibatches(buffer, rowByRow);
  minibatches.deal(buffer, new CounterRng(seed, 0), options);
  return minibatches;
}

const data = (minibatches: Minibatches, m: number, name: string): number[] =>
  Array.from(minibatches.feeds[m]?.[name]?.data as Float32Array);

const rowsOf = (minibatches: Minibatches, m: number): number[] =>
  data(minibatches, m, 'logProbs')
    .slice(0, m === 0 ? 3 : 2)
    .map((value) => -value);

describe('Minibatches.deal', () => {
  test('deals every row once and keeps what belongs to it together', () => {
    const minibatches = deal();
    const rows = [...rowsOf(minibatches, 0), ...rowsOf(minibatches, 1)];
    expect([...rows].sort()).toEqual([0, 1, 2, 3, 4]);
    for (const m of [0, 1]) {
      for (const [slot, row] of rowsOf(minibatches, m).entries()) {
        expect(data(minibatches, m, 'obs').slice(slot * 3, slot * 3 + 3)).toEqual([row, row + 0.5, 1]);
        expect(data(minibatches, m, 'actions')[slot]).toBe(row % 3);
        expect(data(minibatches, m, 'advantages')[slot]).toBe(10 * row);
        expect(data(minibatches, m, 'returns')[slot]).toBe(2 * row);
      }
    }
  });

  test('deals differently under another seed, and every row into every minibatch', () => {
    const partners = new Set<number>();
    for (let seed = 0n; seed < 30n; seed++) {
      for (const row of rowsOf(deal(createBuffer(), scale, seed), 1)) partners.add(row);
    }
    expect(partners.size).toBe(5);
  });

  test('gives padded rows no weight', () => {
    const minibatches = deal();
    expect(data(minibatches, 0, 'weights')).toEqual([1, 1, 1].map((x) => Math.fround(x / 3)));
    expect(data(minibatches, 1, 'weights')).toEqual([0.5, 0.5, 0]);
  });

  test('normalises advantages over the valid rows of each minibatch', () => {
    const minibatches = deal(createBuffer(), { ...scale, normAdv: true });
    const short = data(minibatches, 1, 'advantages').slice(0, 2);
    expect(short.sort((a, b) => a - b)).toEqual([expect.closeTo(-1, 5), expect.closeTo(1, 5)]);
    const full = data(minibatches, 0, 'advantages');
    expect(full.reduce((a, b) => a + b)).toBeCloseTo(0, 5);
    expect(full.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(3, 4);
  });

  test('forbids what was illegal, in columns, and forgets it with the next rollout', () => {
    const buffer = createBuffer();
    buffer.availActions[1 * 3 + 2] = 0;
    buffer.hasIllegal = true;
    const minibatches = deal(buffer);
    const m = rowsOf(minibatches, 0).includes(1) ? 0 : 1;
    const slot = rowsOf(minibatches, m).indexOf(1);
    // Action 2 is the third line of [3,3].
    expect(data(minibatches, m, 'logitBias')).toEqual(
      Array(9)
        .fill(0)
        .with(6 + slot, -1e9),
    );
    minibatches.deal(createBuffer(), new CounterRng(1n, 0), scale);
    expect(data(minibatches, m, 'logitBias')).toEqual(Array(9).fill(0));
  });
});
