import { describe, expect, test } from 'vitest';
import { Minibatch } from '../../../../src/engine/learn/data/minibatch.ts';
import { RolloutBuffer } from '../../../../src/engine/learn/data/rollout-buffer.ts';

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

const scale = { returnMean: 100, returnDeviation: 2, normAdv: false };
const order = Uint32Array.of(3, 1, 4, 0, 2);

const data = (minibatch: Minibatch, name: string): number[] =>
  Array.from(minibatch.feeds[name]?.data as Float32Array);

describe('Minibatch.fill', () => {
  test('gathers the rows of the order, returns in units of the critic', () => {
    const minibatch = new Minibatch(3, 2, 3);
    minibatch.fill(createBuffer(), order, 0, scale);
    expect(data(minibatch, 'obs')).toEqual([3, 3.5, 1, 1, 1.5, 1, 4, 4.5, 1]);
    expect(data(minibatch, 'actions')).toEqual([0, 1, 1]);
    expect(data(minibatch, 'logProbs')).toEqual([-3, -1, -4]);
    expect(data(minibatch, 'advantages')).toEqual([30, 10, 40]);
    expect(data(minibatch, 'returns')).toEqual([6, 2, 8]);
    expect(data(minibatch, 'weights')).toEqual([1, 1, 1].map((x) => Math.fround(x / 3)));
  });

  test('gives padded rows no weight', () => {
    const minibatch = new Minibatch(3, 2, 3);
    minibatch.fill(createBuffer(), order, 3, scale);
    expect(data(minibatch, 'weights')).toEqual([0.5, 0.5, 0]);
    expect(data(minibatch, 'advantages').slice(0, 2)).toEqual([0, 20]);
  });

  test('normalises advantages over the valid rows alone', () => {
    const minibatch = new Minibatch(3, 2, 3);
    minibatch.fill(createBuffer(), order, 3, { ...scale, normAdv: true });
    expect(data(minibatch, 'advantages').slice(0, 2)).toEqual([expect.closeTo(-1, 5), expect.closeTo(1, 5)]);
  });

  test('forbids what was illegal, in columns, and forgets it with the next rollout', () => {
    const buffer = createBuffer();
    buffer.availActions[1 * 3 + 2] = 0;
    buffer.hasIllegal = true;
    const minibatch = new Minibatch(3, 2, 3);
    minibatch.fill(buffer, order, 0, scale);
    // Row 1 of the rollout is the second of the minibatch; action 2 is the third line of [3,3].
    expect(data(minibatch, 'logitBias')).toEqual([0, 0, 0, 0, 0, 0, 0, -1e9, 0]);
    minibatch.fill(createBuffer(), order, 0, scale);
    expect(data(minibatch, 'logitBias')).toEqual(Array(9).fill(0));
  });
});
