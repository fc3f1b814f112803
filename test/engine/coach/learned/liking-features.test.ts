import { describe, expect, test } from 'vitest';
import { knowsModel, likingFeatures } from '../../../../src/engine/coach/learned/liking-features.ts';

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];

describe('likingFeatures', () => {
  test('tell that a model was asked, and what it made of the edit', () => {
    expect(likingFeatures({ model: a, value: -0.5 })).toEqual({
      'model aaaaaaaaaaaa was asked': 1,
      'model aaaaaaaaaaaa likes it': -0.5,
    });
    expect(likingFeatures(null)).toEqual({});
  });

  test('are those of one model, whom a ranker knows or not', () => {
    const features = Object.keys(likingFeatures({ model: a, value: 1 }));
    expect([knowsModel(features, a), knowsModel(features, b)]).toEqual([true, false]);
  });
});
