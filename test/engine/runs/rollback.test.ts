import { describe, expect, test } from 'vitest';
import { hasDropped, nextIncumbent } from '../../../src/engine/runs/rollback.ts';

const incumbent = { textHash: 'a', round: 1, objective: -10, error: 0.3 };

function measured(objective: number, textHash = 'b') {
  return { textHash, round: 2, objective, error: 0.4 };
}

describe('hasDropped', () => {
  // The difference of the two evaluations has a standard error of 0.5; a clear drop is more than 1.
  test.each([
    ['more than two standard errors below', measured(-11.01), 'higher', true],
    ['within two standard errors', measured(-10.99), 'higher', false],
    ['above', measured(-8), 'higher', false],
    ['more, where less is better', measured(-8), 'lower', true],
    ['the same environment, however low', measured(-50, 'a'), 'higher', false],
  ] as const)('%s', (_title, round, better, expected) => {
    expect(hasDropped(round, incumbent, better)).toBe(expected);
  });
});

describe('nextIncumbent', () => {
  test('the first round measured is the incumbent', () => {
    expect(nextIncumbent(measured(-20), null, 'higher')).toEqual(measured(-20));
  });

  test('is kept after a clear drop and replaced otherwise', () => {
    expect(nextIncumbent(measured(-12), incumbent, 'higher')).toBe(incumbent);
    expect(nextIncumbent(measured(-10.5), incumbent, 'higher')).toEqual(measured(-10.5));
  });

  test('keeps the best measurement of one environment', () => {
    expect(nextIncumbent(measured(-12, 'a'), incumbent, 'higher')).toBe(incumbent);
    expect(nextIncumbent(measured(-9, 'a'), incumbent, 'higher')).toEqual(measured(-9, 'a'));
  });
});
