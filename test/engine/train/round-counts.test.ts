import { describe, expect, test } from 'vitest';
import { RoundCounts } from '../../../src/engine/train/round-counts.ts';
import type { TrapRecord } from '../../../src/shared/rl/vec-env.ts';

const traps = (count: number): TrapRecord[] =>
  Array.from({ length: count }, (_, step) => ({
    declaration: 'boom',
    env: 0,
    episode: 0,
    step,
    reason: 'division',
  }));

describe('RoundCounts', () => {
  test('keeps the first traps and counts all, over a checkpoint too', () => {
    const counts = new RoundCounts();
    counts.add(10, Float64Array.of(1), traps(80));
    const taken = RoundCounts.from(counts.save());
    taken.add(10, Float64Array.of(1), traps(80));
    expect(taken.numTraps).toBe(160);
    expect(taken.traps).toHaveLength(100);
    expect(taken.traps[0]).toEqual(traps(1)[0]);
  });
});
