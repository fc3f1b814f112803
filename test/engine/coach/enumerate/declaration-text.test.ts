import { describe, expect, test } from 'vitest';
import {
  readGifts,
  scaleReward,
  withOption,
} from '../../../../src/engine/coach/enumerate/declaration-text.ts';

const wrap = (value: string): string => `reward r { for a in agent give ${value} to a }`;

describe('scaleReward', () => {
  test.each([
    ['2', '1'],
    ['-0.8', '-0.4'],
    ['distance(a, nearest(landmark)) / 1 m', '0.5 * (distance(a, nearest(landmark)) / 1 m)'],
    ['0.5 * (1 + time / 1 s)', '0.25 * (1 + time / 1 s)'],
    ['0.5 * (1) + 2 * (3)', '0.5 * (0.5 * (1) + 2 * (3))'],
    ['max(nearest(landmark to a).x, 0 m) / 1 m', '0.5 * (max(nearest(landmark to a).x, 0 m) / 1 m)'],
  ])('halves %s', (value, expected) => {
    expect(scaleReward(wrap(value), 0.5).replace(/\s+/g, ' ')).toBe(wrap(expected));
  });

  test('scales every gift and leaves strings and comments alone', () => {
    const text =
      'reward r "give 1 to all" {\n  // give 3 to a\n  for a in agent\n  give 1 to a\n  give 2 to b\n}';
    expect(scaleReward(text, 10).replace(/ +/g, ' ')).toBe(
      'reward r "give 1 to all" {\n // give 3 to a\n for a in agent\n give 10 to a\n give 20 to b\n}',
    );
  });

  test('scaling there and back gives the same weight', () => {
    const twice = scaleReward(scaleReward(wrap('time / 1 s'), 0.25), 4);
    expect(twice.replace(/\s+/g, ' ')).toBe(wrap('1 * (time / 1 s)'));
  });
});

describe('readGifts', () => {
  test.each([
    ['2', 2, '1'],
    ['-0.8', -0.8, '1'],
    ['time / 1 s', 1, 'time / 1 s'],
    ['-time / 1 s', -1, 'time / 1 s'],
    ['0.5 * (-0.1 * time / 1 s)', -0.05, 'time / 1 s'],
    ['((2)) * (time / 1 s)', 1, '( ( 2 ) ) * ( time / 1 s )'],
    ['2 * (1 + time / 1 s)', 2, '1 + time / 1 s'],
    ['2 * time / 1 s - 1', 1, '2 * time / 1 s - 1'],
    ['0.5 * -(1)', -0.5, '1'],
  ])('of %s is %d times %s', (value, factor, of) => {
    expect(readGifts(wrap(value))).toEqual([{ factor, of }]);
  });

  test('knows every gift, and of a declaration without one none', () => {
    expect(readGifts('reward r { give 1 to a give -2 to b }').map(({ factor }) => factor)).toEqual([1, -2]);
    expect(readGifts('rule r { then a.speed *= 2 }')).toEqual([]);
  });
});

describe('withOption', () => {
  test('adds a clause before the closing brace', () => {
    expect(withOption('reward r { give 1 to a }', 'limit', 'limit 5% of nominal')).toBe(
      'reward r { give 1 to a limit 5% of nominal }',
    );
  });

  test('replaces the clause that is there', () => {
    const text = 'reward r { give 1 to a decay half every 200k steps limit 10% of nominal }';
    expect(withOption(text, 'decay', 'decay half every 5000 steps')).toBe(
      'reward r { give 1 to a decay half every 5000 steps limit 10% of nominal }',
    );
    expect(withOption(text, 'limit', 'limit 5% of nominal')).toBe(
      'reward r { give 1 to a decay half every 200k steps limit 5% of nominal }',
    );
  });
});
