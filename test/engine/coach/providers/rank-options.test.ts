import { describe, expect, test } from 'vitest';
import {
  bestOption,
  orderings,
  rankOptions,
  scoreRequests,
} from '../../../../src/engine/coach/providers/rank-options.ts';
import type { ScoreAnswer } from '../../../../src/engine/coach/types.ts';

const question = { question: 'Which?', options: ['one', 'two', 'three'] };

const answer = (variants: readonly (readonly [logProb: number, numTokens: number][])[]): ScoreAnswer => ({
  variants: variants.map((options) => options.map(([logProb, numTokens]) => ({ logProb, numTokens }))),
  promptTokens: 1,
  scoredTokens: 1,
  durationMs: 1,
});

describe('scoreRequests', () => {
  const requests = scoreRequests(
    question,
    (asked, options, withSnapshot) => `${withSnapshot ? 'seen\n' : 'blind\n'}${asked}\n${options}\nBest:\n`,
  );

  test('asks with the snapshot, then without, each in two orders', () => {
    expect(requests).toEqual([
      {
        prefix: 'seen\nWhich?\n',
        variants: [
          { suffix: '- one\n- two\n- three\nBest:', options: [' one', ' two', ' three'] },
          { suffix: '- three\n- two\n- one\nBest:', options: [' one', ' two', ' three'] },
        ],
      },
      expect.objectContaining({ prefix: 'blind\nWhich?\n' }),
    ]);
  });

  test('the second order is the first reversed', () => {
    expect(orderings(3)).toEqual([
      [0, 1, 2],
      [2, 1, 0],
    ]);
  });
});

describe('rankOptions', () => {
  test('is log p per token with the snapshot minus without, averaged over the orders', () => {
    const seen = answer([
      [
        [-4, 2],
        [-9, 3],
        [-1, 1],
      ],
      [
        [-8, 2],
        [-3, 3],
        [-1, 1],
      ],
    ]);
    const blind = answer([
      [
        [-6, 2],
        [-6, 3],
        [-1, 1],
      ],
      [
        [-6, 2],
        [-6, 3],
        [-1, 1],
      ],
    ]);
    // one: (−2 −4)/2 + 3 = 0; two: (−3 −1)/2 + 2 = 0; three: −1 + 1 = 0
    expect(rankOptions(question, [seen, blind])).toEqual([
      { text: 'one', logProb: -3, baseline: -3, score: 0 },
      { text: 'two', logProb: -2, baseline: -2, score: 0 },
      { text: 'three', logProb: -1, baseline: -1, score: 0 },
    ]);
  });

  test('a long option is not punished for its length, nor a common one rewarded', () => {
    const seen = answer([
      [
        [-10, 10],
        [-2, 1],
        [-0.5, 1],
      ],
    ]);
    const blind = answer([
      [
        [-20, 10],
        [-2, 1],
        [-0.2, 1],
      ],
    ]);
    const ranked = rankOptions(question, [seen, blind]);
    expect(ranked.map(({ score }) => score)).toEqual([1, 0, -0.3]);
    expect(bestOption(ranked)).toBe(0);
  });
});

describe('bestOption', () => {
  test('ties go to the lower index', () => {
    const options = [0, 2, 2].map((score) => ({ text: '', logProb: 0, baseline: 0, score }));
    expect(bestOption(options)).toBe(1);
  });
});
