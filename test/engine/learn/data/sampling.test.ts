import { describe, expect, test } from 'vitest';
import { sampleColumns } from '../../../../src/engine/learn/data/sampling.ts';
import { CounterRng } from '../../../../src/shared/std/rng.ts';

describe('sampleColumns', () => {
  test('draws each action with its probability (seed 1, 30000 draws)', () => {
    const probs = [0.1, 0.6, 0.3];
    const batch = 30_000;
    const actions = new Int32Array(batch);
    const columns = Float32Array.from(
      { length: 3 * batch },
      (_, i) => probs[Math.floor(i / batch)] as number,
    );
    sampleColumns(columns, 3, new CounterRng(1n, 0), actions);
    for (const [k, p] of probs.entries()) {
      const share = actions.filter((action) => action === k).length / batch;
      expect(Math.abs(share - p), `share of action ${k}`).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / batch));
    }
  });

  test('never draws an action of probability zero, whatever rounding leaves over', () => {
    const batch = 5000;
    const actions = new Int32Array(batch);
    // Columns sum to 0.9999 only, and the last action is impossible.
    const columns = new Float32Array(3 * batch);
    columns.fill(0.4999, 0, batch).fill(0.5, batch, 2 * batch);
    sampleColumns(columns, 3, new CounterRng(1n, 0), actions);
    expect(new Set(actions)).toEqual(new Set([0, 1]));
  });
});
