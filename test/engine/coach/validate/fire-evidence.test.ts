import { describe, expect, test } from 'vitest';
import { playRandomly } from '../../../../src/engine/coach/propose-once/random-play.ts';
import { validateProposal } from '../../../../src/engine/coach/validate/validate-proposal.ts';
import { createVecEnv } from '../../../../src/engine/sim/index.ts';
import { coachEdl, compiled, roundContext } from '../../../support/coach-world.ts';

const text = `environment field extends capture {
  set episode.length = 40
  npc guards { control blue attack nearest(red) when distance(self, nearest(red)) < 15 m otherwise guard nearest(point) }
}
`;
const environment = compiled(text);
const play = playRandomly(createVecEnv, environment, 'red', 3);
const recording = { ...play.recording, steps: play.recording.steps.slice(0, 512) };
const { series } = roundContext();
const objective = { metric: 'episode_return', group: 'red' };

function reasonsFor(target: string, edl: string, hint: string, op: 'add' | 'modify' | 'remove' = 'add') {
  const expected_impact = { metric: 'score', direction: 'up', size: 'small', why: '' } as const;
  const change = { op, target, edl, description: '', implementation_hint: hint, expected_impact };
  const body = { analysis: '', changes: [change], wishes: [] };
  const input = { text, environment, body, excluded: new Set<string>(), recording, objective, series };
  return validateProposal({ edl: coachEdl, createVecEnv }, input).reasons.map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

describe('evidence about events', () => {
  test('one that waits for a time or for chance need not come in the steps at hand', () => {
    expect(reasonsFor('event late', 'event late { at step 39 spawn supply at random }', 'supply')).toEqual(
      [],
    );
    expect(
      reasonsFor(
        'event rare',
        'event rare { every 7 steps with chance 1% spawn supply at random }',
        'supply',
      ),
    ).toEqual([]);
  });

  test('one whose condition never holds is refused', () => {
    const edl = 'event never { when red_points > 2 and time < 1 s spawn supply at random }';
    expect(reasonsFor('event never', edl, 'supply').join()).toMatch(
      /^neverFires: event never fires in none of/,
    );
  });
});

describe('evidence about constraints', () => {
  test('one that is violated at times passes, one that is violated always decides nothing', () => {
    const bunching = (metres: number) =>
      `constraint bunching { for a in red never distance(a, nearest(ally(a))) < ${metres} m penalty 0.1 }`;
    expect(reasonsFor('constraint bunching', bunching(3), 'distance')).toEqual([]);
    expect(reasonsFor('constraint bunching', bunching(5000), 'distance').join()).toMatch(/^alwaysFires/);
    expect(reasonsFor('constraint bunching', bunching(0.000001), 'distance').join()).toMatch(/^neverFires/);
  });

  test('a penalty beyond the nominal return is too large', () => {
    const edl = 'constraint bunching { for a in red never distance(a, nearest(ally(a))) < 3 m penalty 5000 }';
    expect(reasonsFor('constraint bunching', edl, 'distance').join()).toMatch(
      /^tooLarge: constraint bunching/,
    );
  });
});

describe('evidence about rewards', () => {
  const reward = (amount: string) =>
    `reward near { for a in red when any(p in point) give ${amount} to a limit 5% of nominal }`;

  test('one whose condition always holds is refused where it gives the same in every step', () => {
    expect(reasonsFor('reward near', reward('0.01'), 'point').join()).toMatch(/^alwaysFires: the condition/);
    const byPlace = reward('-0.01 * distance(a, nearest(point)) / 50 m');
    expect(reasonsFor('reward near', byPlace, 'distance')).toEqual([]);
  });
});

describe('evidence about npcs', () => {
  test('another behaviour makes a difference to what happens', () => {
    const chase =
      'npc guards { control blue chase nearest(red) when distance(self, nearest(red)) < 60 m otherwise hold }';
    expect(reasonsFor('npc guards', chase, 'chase', 'modify')).toEqual([]);
  });

  test('taking away or giving a group its players changes who learns', () => {
    expect(reasonsFor('npc guards', '', 'guard', 'remove').join()).toMatch(/^otherShape/);
  });
});

describe('evidence about potentials', () => {
  test('what they give and take back is not added up', () => {
    const reward = (clause: string) =>
      `reward push { for a in red give 300 - distance(a, nearest(point)) * 10 / 1 m to a ${clause} }`;
    expect(reasonsFor('reward push', reward('potential'), 'distance')).toEqual([]);
    expect(reasonsFor('reward push', reward(''), 'distance').join()).toMatch(/^tooLarge: reward push/);
  });
});
