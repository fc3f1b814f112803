import { expect, test } from 'vitest';
import { colorOf } from '../../../../src/renderer/panels/report/arm-colors.ts';

test('an arm has the colour of its place, and there are eight', () => {
  const arms = Array.from({ length: 9 }, (_, i) => ({
    name: `arm${i}`,
    provider: 'none',
    model: null,
    numRuns: 0,
    numFinished: 0,
    chargedSteps: null,
    trialSteps: null,
    evaluationSteps: null,
  }));
  expect([0, 1, 7, 8].map((i) => colorOf({ arms }, `arm${i}`))).toEqual([1, 2, 8, 1]);
  expect(colorOf({ arms }, 'unknown')).toBe(1);
});
