import { describe, expect, test } from 'vitest';
import { type CeilingInput, judgeCeiling } from '../../../../src/engine/coach/shaping/near-ceiling.ts';
import { coachEdl, compiled, spreadText } from '../../../support/coach-world.ts';

function after(op: 'add' | 'modify' | 'remove', target: string, edl = '') {
  const result = coachEdl.applyChanges(spreadText, [{ op, target, edl }]);
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
