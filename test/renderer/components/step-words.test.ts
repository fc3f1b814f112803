import { describe, expect, test } from 'vitest';
import { stepWords } from '../../../src/renderer/components/step-words.ts';

describe('stepWords', () => {
  test('says what fired and what was paid, summed over agents', () => {
    const names = ['coverage', 'near', 'idle'];
    const step = { fired: { 'reward near': 2 }, components: Float32Array.of(-1, 0.5, 0, -1, 0.25, 0) };
    expect(stepWords(step, names)).toBe('reward near ×2; paid: coverage −2, near 0.75');
    expect(stepWords({ fired: {}, components: new Float32Array(6) }, names)).toBe(
      'nothing fires; paid: nothing',
    );
  });
});
