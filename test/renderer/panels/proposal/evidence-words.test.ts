import { describe, expect, test } from 'vitest';
import { exampleTitle, stepLine } from '../../../../src/renderer/panels/proposal/evidence-words.ts';

describe('words of evidence', () => {
  test('an example is named as people count rounds and copies', () => {
    expect(exampleTitle({ round: 1, copy: 3, from: 12, to: 28 })).toBe('round 2, copy 4, steps 12 to 28');
    expect(exampleTitle({ round: 0, copy: 0, from: 7, to: 7 })).toBe('round 1, copy 1, step 7');
  });

  test('a step is named by its time on record', () => {
    const step = { time: 12, fired: { 'reward near': 2 }, components: Float32Array.of(-1, -1) };
    expect(stepLine(step, { components: ['coverage'] })).toBe('step 12: reward near ×2; paid: coverage −2');
  });
});
