import { describe, expect, test } from 'vitest';
import { hintFor, suggestNames } from '../../../src/engine/edl/suggest.ts';

describe('suggestNames', () => {
  test.each([
    ['covrage', ['coverage', 'collisions'], ['coverage']],
    ['ditsance', ['distance', 'nearest'], ['distance']],
    ['Accel', ['accel', 'mass'], ['accel']],
    ['speed', ['max_speed', 'mass'], ['max_speed']],
    ['zzz', ['accel'], []],
  ])('%s among %j suggests %j', (name, known, expected) => {
    expect(suggestNames(name, known)).toEqual(expected);
  });

  test('gives the nearest first and at most three', () => {
    expect(suggestNames('agent_1', ['agent_0', 'agent_11', 'agent_2', 'agent_10', 'agent_1x'])).toHaveLength(
      3,
    );
    expect(suggestNames('abcde', ['abcxe', 'abcde_', 'abcdef'])[0]).toBe('abcde_');
  });

  test('does not search for very long names', () => {
    expect(suggestNames('a'.repeat(65), ['a'.repeat(65)])).toEqual([]);
  });
});

describe('hintFor', () => {
  test('lists what is known where nothing is near', () => {
    expect(hintFor([], ['a', 'b'])).toBe('; known: a, b');
    expect(hintFor([], [])).toBe('');
    expect(hintFor(['time'], ['time'])).toBe("; did you mean 'time'?");
  });
});
