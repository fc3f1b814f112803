import { describe, expect, test } from 'vitest';
import { refusalFor, refusalOf } from '../../../../src/renderer/panels/proposal/refusal.ts';
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

describe('refusalFor', () => {
  const refused = { text: 'environment a', reasons: [reason] };

  test('what was said of a text is not said of another, typed while the first was sent', () => {
    expect(refusalFor('environment a', refused)).toEqual([reason]);
    expect(refusalFor('environment ab', refused)).toBeNull();
    expect(refusalFor(null, refused)).toBeNull();
    expect(refusalFor('environment a', null)).toBeNull();
  });
});
