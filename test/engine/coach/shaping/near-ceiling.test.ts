import { describe, expect, test } from 'vitest';
import { type CeilingInput, judgeCeiling } from '../../../../src/engine/coach/shaping/near-ceiling.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';

function after(op: 'add' | 'modify' | 'remove', target: string, edl = '', text = spreadText) {
  const result = coachEdl.applyChanges(text, [{ op, target, edl }]);
  if ('refused' in result) throw new Error(result.refused.message);
  return result.environment;
}

const crowding = (amount: number) =>
  `reward crowding { for a in agent when distance(a, nearest(landmark)) < 0.4 m give ${amount} to a }`;
const near = 'reward near { for a in agent give -distance(a, nearest(landmark)) to a }';

function judge(candidate: CeilingInput['candidate'], changes: Partial<CeilingInput> = {}) {
  return judgeCeiling({
    current: compiled(),
    candidate,
    objective: { metric: 'coverage', better: 'higher' },
    value: 0.98,
    best: 1,
    ceiling: 0.03,
    trainedSteps: 1000,
    ...changes,
  });
}

describe('judgeCeiling', () => {
  test('refuses a new term where the objective is within the share of its best', () => {
    const added = after('add', 'reward near', near);
    const [reason] = judge(added);
    expect(reason).toMatchObject({
      code: 'nearCeiling',
      severity: 'error',
      evidence: { objective: 0.98, best: 1, within: 0.03 },
    });
    expect(reason?.message).toContain('reward near');
    expect(judge(added, { value: 0.96 })).toEqual([]);
    expect(judge(added, { best: null })).toEqual([]);
    expect(judge(added, { ceiling: null })).toEqual([]);
  });

  test('refuses more of a term, not less of it and not its end', () => {
    expect(judge(after('modify', 'reward crowding', crowding(-2)))).toHaveLength(1);
    expect(judge(after('modify', 'reward crowding', crowding(-0.5)))).toEqual([]);
    expect(judge(after('remove', 'reward crowding'))).toEqual([]);
    expect(judge(after('modify', 'set agent.accel', 'set agent.accel = 5 m/s^2'))).toEqual([]);
  });

  test('counts a turned sign as more', () => {
    expect(judge(after('modify', 'reward crowding', crowding(0.5)))).toHaveLength(1);
  });

  test('counts a limit that is raised or taken away as more, of rewards and constraints', () => {
    const limited = (limit: string) => `${crowding(-1).slice(0, -1)}${limit} }`;
    const apart = (limit: string) =>
      `constraint crowding { for a in agent never distance(a, nearest(agent)) < 0.2 m penalty 1 to a ${limit} }`;
    for (const [target, write] of [
      ['reward crowding', limited],
      ['constraint crowding', apart],
    ] as const) {
      const text = `environment spread extends simple_spread {\n${write('limit 20% of nominal')}\n}\n`;
      const judged = (limit: string) =>
        judge(after('modify', target, write(limit), text), { current: compiled(text) });
      expect(judged('limit 50% of nominal')).toHaveLength(1);
      expect(judged('')).toHaveLength(1);
      expect(judged('limit 10% of nominal')).toEqual([]);
    }
  });

  test('what fades and is left as it is has not grown', () => {
    const text = spreadText.replace('give -1 to a', 'give -1 to a decay half every 700 steps');
    const slower = after('modify', 'set agent.accel', 'set agent.accel = 5 m/s^2', text);
    for (let trainedSteps = 0; trainedSteps < 50_000; trainedSteps += 777) {
      expect(judge(slower, { current: compiled(text), trainedSteps })).toEqual([]);
    }
  });

  test('knows which side is the better one, and bests below and at nought', () => {
    const objective = { metric: 'episode_return', better: 'higher' } as const;
    const added = after('add', 'reward near', near);
    expect(judge(added, { objective, best: -9, value: -9.2 })).toHaveLength(1);
    expect(judge(added, { objective, best: -9, value: -9.4 })).toEqual([]);
    const collisions = { metric: 'collisions', better: 'lower' } as const;
    expect(judge(added, { objective: collisions, best: 0, value: 0.02 })).toHaveLength(1);
    expect(judge(added, { objective: collisions, best: 0, value: 0.2 })).toEqual([]);
  });
});
