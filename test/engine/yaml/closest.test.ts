import { expect, test } from 'vitest';
import { findClosest, suggest } from '../../../src/engine/yaml/closest.ts';

test('findClosest finds slips of the finger and leaves strangers alone', () => {
  const keys = ['learner', 'budget', 'objective'];
  expect(findClosest('lerner', keys)).toBe('learner');
  expect(findClosest('Budgte', keys)).toBe('budget');
  expect(findClosest('zzzzzz', keys)).toBeNull();
});

test('suggest names the nearest, else all, else nothing', () => {
  expect(suggest('objectve', ['objective'])).toBe('; did you mean "objective"?');
  expect(suggest('q', ['alpha', 'omega'])).toBe('; known: alpha, omega');
  expect(suggest('q', [])).toBe('');
});
