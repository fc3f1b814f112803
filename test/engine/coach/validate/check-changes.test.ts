import { describe, expect, test } from 'vitest';
import { coachKinds } from '../../../../src/engine/coach/config.ts';
import { checkChange } from '../../../../src/engine/coach/validate/check-changes.ts';
import type { ProposedChange } from '../../../../src/shared/contract/coach.ts';
import { compiled } from '../../../support/coach-world.ts';

const change: ProposedChange = {
  op: 'add',
  target: 'reward near',
  edl: 'reward near { for a in agent give -0.1 * distance(a, nearest(landmark)) / 1 m to a }',
  description: '',
  implementation_hint: 'distance to the nearest landmark',
  expected_impact: { metric: 'coverage', direction: 'up', size: 'small', why: '' },
};

const codes = (changes: Partial<ProposedChange>): string[] =>
  checkChange({ ...change, ...changes }, compiled()).map(({ code }) => code);

describe('checkChange', () => {
  test('lets a change pass whose parts agree', () => {
    expect(codes({})).toEqual([]);
    expect(
      codes({ op: 'remove', target: 'reward crowding', edl: '', implementation_hint: 'crowding' }),
    ).toEqual([]);
    expect(
      codes({
        op: 'modify',
        target: 'set agent.accel',
        edl: 'set agent.accel = 3 m/s^2',
        implementation_hint: 'agent.accel',
      }),
    ).toEqual([]);
  });

  test.each([
    ['no target', { target: 'crowding' }],
    ['a target with a sentence', { target: 'reward near the landmark' }],
    ['removing with a text', { op: 'remove', target: 'reward crowding', implementation_hint: 'distance' }],
    ['adding without a text', { edl: ' // nothing\n' }],
    ['another name', { target: 'reward far' }],
    ['another kind', { target: 'rule near' }],
    [
      'a parameter that only begins alike',
      { target: 'set agent', edl: 'set agent.accel = 1 m/s^2', implementation_hint: 'agent.accel' },
    ],
  ] satisfies [string, Partial<ProposedChange>][])('refuses %s', (_, changes) => {
    expect(codes(changes)).toContain('inconsistent');
  });

  test.each(['mission', 'mission x', 'issue uncovered', 'environment spread', 'stage easy'])(
    'a coach may not change "%s"',
    (target) => {
      expect(['notAllowed', 'inconsistent']).toContain(codes({ target })[0]);
    },
  );

  test('an effect on the objective is one that is measured, also where the training environment has no such metric', () => {
    const aimed = { ...change, expected_impact: { ...change.expected_impact, metric: 'all_near' } };
    expect(checkChange(aimed, compiled())).toMatchObject([{ code: 'unknownMetric' }]);
    expect(checkChange(aimed, compiled(), coachKinds, 'all_near')).toEqual([]);
  });

  test('a coach that may write stages may, and one that may write nothing else may not', () => {
    const stage = {
      ...change,
      target: 'stage near',
      edl: 'stage near { set agent.accel = 8 m/s^2 until coverage > 50% }',
      implementation_hint: 'agent.accel',
    };
    expect(checkChange(stage, compiled(), [...coachKinds, 'stage'])).toEqual([]);
    expect(checkChange(stage, compiled())).toMatchObject([{ code: 'notAllowed' }]);
    expect(checkChange(change, compiled(), ['stage'])).toMatchObject([
      { code: 'notAllowed', message: 'this coach may not change "reward": it may write stage' },
    ]);
  });

  test('a hint has to name what the text uses', () => {
    expect(codes({ implementation_hint: 'the velocity' })).toEqual(['wrongHint']);
    expect(codes({ implementation_hint: 'sum' })).toEqual(['wrongHint']);
    expect(codes({ implementation_hint: '' })).toEqual(['wrongHint']);
    expect(codes({ implementation_hint: 'landmark' })).toEqual([]);
  });

  test('a word in a comment or string is no use of it', () => {
    const edl = 'reward near "time" { /* sqrt */ for a in agent give 0.1 to a }';
    expect(codes({ edl, implementation_hint: 'time' })).toEqual(['wrongHint']);
    expect(codes({ edl, implementation_hint: 'sqrt' })).toEqual(['wrongHint']);
  });

  test('the expected metric has to be one that is measured', () => {
    expect(codes({ expected_impact: { ...change.expected_impact, metric: 'happiness' } })).toEqual([
      'unknownMetric',
    ]);
  });
});
