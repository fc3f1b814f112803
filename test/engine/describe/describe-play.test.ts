import { expect, test } from 'vitest';
import { describePlay } from '../../../src/engine/describe/describe-play.ts';
import type { Describer } from '../../../src/engine/describe/describer.ts';
import { createVecEnv } from '../../../src/engine/sim/index.ts';

const spec = { scenario: 'simple_spread', parameters: { 'episode.length': 4 }, program: null, scripted: {} };

/** Tells the number of descriptions since the state was null, halved: every other text is new. */
const counting = {
  describe: (_source: unknown, previous: { count: number } | null) => {
    const count = (previous?.count ?? -1) + 1;
    return { text: `text ${Math.floor(count / 2)}`, words: {}, state: { count } };
  },
} as unknown as Describer;

const play = (steps: number | null, every = 1) =>
  describePlay(counting, { createVecEnv }, { spec, steps, every, seed: 1 }).map(
    ({ episode, step, text, isNew }) => `${episode}.${step} ${text}${isNew ? ' new' : ''}`,
  );

test('without a number of steps one episode is told, its beginning included', () => {
  expect(play(null)).toEqual(['0.0 text 0 new', '0.1 text 0', '0.2 text 1 new', '0.3 text 1']);
});

test('a new episode begins with nothing told before it', () => {
  expect(play(5)).toEqual([
    '0.0 text 0 new',
    '0.1 text 0',
    '0.2 text 1 new',
    '0.3 text 1',
    '1.0 text 0 new',
    '1.1 text 0',
  ]);
});

test('every second step is told where that is asked', () => {
  expect(play(4, 2)).toEqual(['0.0 text 0 new', '0.2 text 0', '1.0 text 0 new']);
});
