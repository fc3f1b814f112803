import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../../../src/engine/edl/edit/apply-changes.ts';
import type { EdlChange, EdlHost } from '../../../../src/engine/edl/types.ts';
import { arenaHost } from '../../../support/edl-arena.ts';
import { simHost } from '../../../support/sim-host.ts';

const base = `environment base extends arena {
  mission "Hold the zones"
  capacity adversary 3
  set adversary.count = 2
  set agent.accel = 4
  set world.damping = 0.5
  regime many { set adversary.count = 3 }
  regime quick { set agent.accel = 6 }
  schedule { start many at step 5 enter quick }
  stage few { set adversary.count = 1 until collisions > 1 }
  stage all { }
  rule slow { for a in agent then a.accel *= 0.5 }
}
`;
const host: EdlHost = {
  ...arenaHost(),
  text: (name) => (name === 'base.edl' ? { path: '/world/base.edl', text: base } : null),
};

function outcome(change: EdlChange, author: 'coach' | 'person', declarations = ''): string {
  const text = `environment child extends "base.edl" {\n${declarations}\n}\n`;
  const result = applyChanges(text, [change], host, { author, path: '/world/child.edl' });
  return 'refused' in result ? `${result.refused.code} ${result.refused.message}` : 'accepted';
}

const add = (target: string, edl = target): EdlChange => ({ op: 'add', target, edl });

describe('what is reserved to a person', () => {
  test.each([
    ['the mission', add('without mission'), 'the mission is reserved'],
    ['a capacity', add('without capacity adversary'), "'capacity adversary' is reserved"],
    ['a count that makes shapes', add('without set adversary.count'), "'adversary.count' is reserved"],
    ['a physics constant', add('without set world.damping'), "'world.damping' is reserved"],
    ['a regime with such settings', add('without regime many'), "'adversary.count' is reserved"],
    ['a stage with such settings', add('without stage few'), "'adversary.count' is reserved"],
    ['one that would be overridden', add('stage few', 'stage few { }'), "'adversary.count' is reserved"],
    ['one that would be emptied', add('regime many', 'regime many { }'), "'adversary.count' is reserved"],
  ])('a coach may not drop %s of the extended file', (_, change, reason) => {
    expect(outcome(change, 'coach')).toMatch(/^EDL607 /);
    expect(outcome(change, 'coach')).toContain(reason);
    expect(outcome(change, 'person')).not.toContain('EDL607');
  });

  test.each([
    ['a clause that drops it', 'without mission', 'without mission'],
    ['a declaration in its place', 'stage few', 'stage few { set agent.accel = 2 until collisions > 1 }'],
  ])('nor bring it back by removing %s', (_, target, declarations) => {
    const change: EdlChange = { op: 'remove', target, edl: '' };
    expect(outcome(change, 'coach', declarations)).toMatch(/^EDL607 /);
    expect(outcome(change, 'person', declarations)).toBe('accepted');
  });

  test('what is not reserved a coach may drop and override', () => {
    expect(outcome(add('without rule slow'), 'coach')).toBe('accepted');
    expect(outcome(add('without set agent.accel'), 'coach')).toBe('accepted');
    expect(outcome(add('regime quick', 'regime quick { set agent.accel = 7 }'), 'coach')).toBe('accepted');
  });

  test('a count is a coach’s within the capacity in force, declared or fixed by the run, and a person’s without', () => {
    const text = (capacity: string) =>
      `environment own extends capture { ${capacity} set obstacle.count = 2 set red.assault.count = 2 }\n`;
    const change: EdlChange = {
      op: 'modify',
      target: 'set red.assault.count',
      edl: 'set red.assault.count = 3',
    };
    const by = (from: string, capacities?: Record<string, number>): string => {
      const world = { ...simHost(), ...(capacities !== undefined && { capacities }) };
      const result = applyChanges(from, [change], world, { author: 'coach' });
      return 'refused' in result ? result.refused.code : 'accepted';
    };
    expect(by(text(''))).toBe('EDL607');
    expect(by(text('capacity red_assault 4'))).toBe('accepted');
    expect(by(text('capacity red_assault 2'))).toBe('EDL605');
    expect(by(text(''), { red_assault: 4 })).toBe('accepted');
  });
});
