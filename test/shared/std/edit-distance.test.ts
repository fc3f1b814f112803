import { expect, test } from 'vitest';
import { editDistance } from '../../../src/shared/std/edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['budgte', 'budget', 1],
  ['ab', 'ba', 1],
  ['ca', 'abc', 3],
])('%j and %j are %i apart, both ways', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});
