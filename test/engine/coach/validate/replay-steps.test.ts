import { describe, expect, test } from 'vitest';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import type { RecordedStep } from '../../../../src/engine/coach/types.ts';
import { countDifferent, replaySteps } from '../../../../src/engine/coach/validate/replay-steps.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { compiled, roundContext, spreadText } from '../../../support/coach-world.ts';

const { steps: all } = await roundContext().readRecording();
const recorded = all.slice(0, 512);
const replay = (text: string, steps: readonly RecordedStep[] = recorded) =>
  replaySteps(createVecEnv, compiled(text), steps);

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

  test('what the recorded program remembers stays true under another one: regimes, events, lasting effects', () => {
    const world = `environment storms extends simple_spread {
      set episode.length = 60
      regime calm default
      regime storm { set agent.accel = 2 }
      schedule { start calm at step 20 enter storm }
      event gust { at step 10 disturb push agent_0 by 1 m/s }
      reward braced { for a in agent when recent(gust, 5 steps) give 0.1 to a }
      rule tiring { for a in agent when time == 5 steps then a.max_speed *= 0.5 lasting }
    }
    `;
    const environment = compiled(world);
    const { steps } = playRandomly(createVecEnv, environment, 'agent', 3).recording;
    const known = replay(world, steps);
    const under = (declaration: string) => {
      const candidate = compiled(world.replace('rule tiring', `${declaration}\n rule tiring`));
      const { fired, ...rest } = replaySteps(createVecEnv, candidate, steps);
      const { declarations = [] } = candidate.spec.program ?? {};
      const firedBy = (name: string) => fired[declarations.findIndex((each) => each.name === name)] ?? 0;
      return { ...rest, fired, firedBy };
    };
    const storming = under('rule heavy { for a in agent when a.accel < 3 m/s^2 then a.accel *= 0.5 }');
    const stormy = storming.firedBy('storm');
    expect(stormy).toBeGreaterThan(storming.steps / 2);
    expect(storming.firedBy('heavy')).toBe(3 * stormy);
    expect(countDifferent(known, storming)).toBeGreaterThan(0);
    // For 20 steps from the gust on: three agents in as many copies as had one (the last batch is left out).
    const pushed = under('rule pushed { for a in agent when recent(gust, 20 steps) then a.accel *= 0.9 }');
    expect(pushed.firedBy('pushed') / (3 * pushed.firedBy('gust'))).toBeCloseTo(20, -1);
    const slowed = under(
      'rule slowed { for a in agent when a.max_speed < 15 m/s then a.max_speed = a.max_speed }',
    );
    expect(slowed.firedBy('slowed')).toBeGreaterThan(slowed.steps);
    expect(countDifferent(known, slowed)).toBe(0);
  });

  test('fewer steps than a batch are all used', () => {
    expect(replay(spreadText, recorded.slice(0, 3)).steps).toBe(3);
  });
});
