import { describe, expect, test } from 'vitest';
import { validateEdited } from '../../../../src/engine/coach/validate/validate-edited.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { coachEdl, roundContext, spreadText } from '../../../support/coach-world.ts';

const { objective, series, readRecording } = roundContext();
const recording = await readRecording();

/** About four times the nominal return. */
const text = spreadText.replace('give -1 to a', 'give -20 to a');

function reasonsWith(bound: { readonly termShare?: number | null }) {
  const experience = { recording, objective, series, ...bound };
  const edited = { before: spreadText, text, experience };
  return validateEdited({ edl: coachEdl, createVecEnv }, edited).reasons.map(({ code }) => code);
}

describe('validateEdited', () => {
  test('holds terms to the bound that the experiment sets', () => {
    expect(reasonsWith({})).toEqual(['tooLarge']);
    expect(reasonsWith({ termShare: 3 })).toEqual(['tooLarge']);
    expect(reasonsWith({ termShare: 9 })).toEqual([]);
    expect(reasonsWith({ termShare: null })).toEqual([]);
  });
});
