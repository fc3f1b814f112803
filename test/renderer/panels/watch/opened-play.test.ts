import { describe, expect, test } from 'vitest';
import { openPlay, paidIn } from '../../../../src/renderer/panels/watch/opened-play.ts';
import { makePlay } from '../../support/fixtures.ts';

describe('openPlay', () => {
  test('has what was paid before each frame, summed over agents, and in each step', () => {
    const play = openPlay(makePlay());
    expect([...play.paidBefore]).toEqual([0, 0, -1, 0, -3, 1]);
    expect([...paidIn(play, 1)]).toEqual([-1, 1, -1, 0]);
    expect(play.frames.map(({ step }) => step)).toEqual([0, 1, 2]);
  });

  test('an episode without steps, or without components, was paid nothing', () => {
    expect([...openPlay(makePlay({ steps: [], paid: new Float32Array() })).paidBefore]).toEqual([0, 0]);
    const unpaid = openPlay(makePlay({ components: [], paid: new Float32Array() }));
    expect([unpaid.paidBefore.length, paidIn(unpaid, 1).length]).toEqual([0, 0]);
  });
});
