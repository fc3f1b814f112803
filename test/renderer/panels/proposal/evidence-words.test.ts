import { describe, expect, test } from 'vitest';
import {
  exampleTitle,
  pickFrames,
  stepLine,
} from '../../../../src/renderer/panels/proposal/evidence-words.ts';
import type { Frame } from '../../../../src/shared/rl/frame.ts';

describe('words of evidence', () => {
  test('an example is named as people count rounds and copies', () => {
    expect(exampleTitle({ round: 1, copy: 3, from: 12, to: 28 })).toBe('round 2, copy 4, steps 12 to 28');
    expect(exampleTitle({ round: 0, copy: 0, from: 7, to: 7 })).toBe('round 1, copy 1, step 7');
  });

  test('at most a dozen frames are shown, the first and the last among them', () => {
    const steps = Array.from({ length: 40 }, (_, step) => ({ frame: { step } as Frame }));
    const shown = pickFrames(steps).map(({ step }) => step);
    expect(shown).toHaveLength(12);
    expect([shown[0], shown.at(-1)]).toEqual([0, 39]);
    expect(new Set(shown).size).toBe(12);
    expect(pickFrames(steps.slice(0, 3))).toHaveLength(3);
    expect(pickFrames(steps.slice(0, 1))).toHaveLength(1);
  });

  test('a step says what fired and what was paid, summed over agents', () => {
    const view = { components: ['coverage', 'near', 'idle'] };
    const step = {
      time: 12,
      fired: { 'reward near': 2 },
      components: Float32Array.of(-1, 0.5, 0, -1, 0.25, 0),
    };
    expect(stepLine(step, view)).toBe('step 12: reward near ×2; paid: coverage −2, near 0.75');
    expect(stepLine({ ...step, fired: {}, components: new Float32Array(6) }, view)).toBe(
      'step 12: nothing fires; paid: nothing',
    );
  });
});
