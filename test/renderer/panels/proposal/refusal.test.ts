import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../src/renderer/panels/proposal/refusal.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';

const reason = {
  code: 'neverFires',
  severity: 'error' as const,
  message: 'reward near fires in none of 1024 recorded steps',
  evidence: { fired: 0 },
  examples: [],
};

describe('refusalOf', () => {
  test('gives the reasons of an edited text that was refused', () => {
    expect(refusalOf(new AppError('coach.refused', 'refused', { data: { reasons: [reason] } }))).toEqual([
      reason,
    ]);
  });

  test.each([
    new AppError('edl.invalid', 'it does not compile', { data: { reasons: [reason] } }),
    new AppError('coach.refused', 'without reasons'),
    new Error('gone'),
  ])('any other failure is none: %s', (thrown) => {
    expect(refusalOf(thrown)).toBeNull();
  });
});
