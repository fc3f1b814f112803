import { describe, expect, test } from 'vitest';
import { countDifferent, replaySteps } from '../../../../src/engine/coach/validate/replay-steps.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { compiled, roundContext, spreadText } from '../../../support/coach-world.ts';

const recorded = await roundContext().readRecord(512);
const replay = (text: string, steps = recorded) => replaySteps(createVecEnv, compiled(text), steps);

describe('replaySteps', () => {
  test('counts what fires, alike for any number of steps in a batch', () => {
    const whole = replay(spreadText);
    const parts = [replay(spreadText, recorded.slice(0, 256)), replay(spreadText, recorded.slice(256))];
    expect(whole.steps).toBe(512);
    expect(whole.fired[0]).toBeGreaterThan(0);
    expect((parts[0]?.fired[0] ?? 0) + (parts[1]?.fired[0] ?? 0)).toBe(whole.fired[0]);
  });

  test('a penalty of 1 gives as much as it fires', () => {
    const { fired, meanGift, steps } = replay(spreadText);
    expect(meanGift[0]).toBeCloseTo((fired[0] ?? 0) / (steps * 3), 10);
  });

  test('a reward changes no state, a rule does', () => {
    const rule = 'rule slow { for a in agent then a.accel *= 0.5 }';
    const plain = replay(spreadText);
    expect(countDifferent(plain, replay(spreadText.replace('give -1', 'give -2')))).toBe(0);
    expect(
      countDifferent(plain, replay(spreadText.replace('reward crowding', `${rule}\n  reward crowding`))),
    ).toBeGreaterThan(256);
  });

  test('fewer steps than a batch are all used', () => {
    expect(replay(spreadText, recorded.slice(0, 3)).steps).toBe(3);
  });
});
