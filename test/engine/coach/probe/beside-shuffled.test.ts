import { describe, expect, test } from 'vitest';
import { besideShuffled } from '../../../../src/engine/coach/probe/beside-shuffled.ts';
import type { ProbeRecord } from '../../../../src/shared/contract/coach-probe.ts';

const certain = { value: 1, low: 1, high: 1 };
const figures = { top1: certain, top3: certain, reciprocalRank: certain };

/** A model's answers: in which place the first repair of each defect came, two scenarios of two defects each. */
const record = (isShuffled: boolean, ranks: readonly (number | null)[]): ProbeRecord => ({
  ...{ version: 2, provider: 'llama', model: 'm', modelHash: 'a', promptHash: 'b', isShuffled },
  ...{ defects: 'd', numDefects: ranks.length, figures, overRandom: figures, scenarios: [] },
  answers: ranks.map((rank, i) => ({
    ...{ defect: `d${i}`, scenario: i < 2 ? 'simple' : 'simple_tag', fault: 'wrong sign', rank, first: null },
    ...{ repairs: 1, options: 20 },
  })),
});

const own = record(false, [1, 2, null, 1]);
const shuffled = record(true, [2, 2, 5, null]);

describe('besideShuffled', () => {
  test('is the mean of what each defect scores more, with its interval', () => {
    const { overShuffled } = besideShuffled(own, [own, shuffled]);
    expect(overShuffled?.top1.value).toBeCloseTo(2 / 4, 12);
    expect(overShuffled?.reciprocalRank.value).toBeCloseTo((0.5 + 0 - 0.2 + 1) / 4, 12);
    const { low, high } = overShuffled?.reciprocalRank ?? certain;
    expect(low).toBeLessThan(0.325);
    expect(high).toBeGreaterThan(0.325);
  });

  test('is told of both, own minus shuffled', () => {
    const all = [shuffled, own];
    expect(besideShuffled(shuffled, all).overShuffled).toEqual(besideShuffled(own, all).overShuffled);
  });

  test('is told of a model that was loaded with other threads, as its answers are the same', () => {
    const loaded = (threads: number) => ({
      ...{ modelSha256: 'a', contextTokens: 4096, gpu: null, gpuLayers: 0, threads, adapters: [] },
    });
    const one = { ...own, setup: loaded(1) };
    expect(besideShuffled(one, [one, { ...shuffled, setup: loaded(2) }]).overShuffled).not.toBeNull();
  });

  test.each([
    ['nobody else', []],
    ['another prompt', [{ ...shuffled, promptHash: 'c' }]],
    ['another model', [{ ...shuffled, modelHash: 'c' }]],
    ['other defects', [{ ...shuffled, defects: 'e' }]],
    ['the same order', [{ ...own, model: 'again' }]],
  ])('is not told beside %s', (_, others) => {
    expect(besideShuffled(own, [own, ...others])).toEqual({ ...own, overShuffled: null });
  });
});
