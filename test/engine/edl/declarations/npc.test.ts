import { describe, expect, test } from 'vitest';
import { accepted, diagnosed, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const misuses: Misuse[] = [
  ['EDL205', 'npc n { control adversry otherwise hold }', "unknown agent or set 'adversry'", 'adversary'],
  ['EDL308', 'npc n { control zone otherwise hold }', 'landmarks do not act'],
  ['EDL217', 'npc n { control adversary otherwise chas agent_0 }', "unknown behaviour 'chas'", 'chase'],
  ['EDL313', 'npc n { control adversary otherwise hold agent_0 }', "'hold' is directed at nothing"],
  ['EDL313', 'npc n { control adversary otherwise chase zone_0 }', "'chase' is directed at an agent"],
  ['EDL407', 'npc n { control agent_0 otherwise hold }', 'agent_1 is left to a learner', 'control agent'],
  [
    'EDL408',
    'npc n { control agent otherwise hold } npc o { control agent_1 otherwise hold }',
    "'agent_1' is controlled by npc 'n' already",
  ],
  ['EDL202', 'npc n { control adversary hold when enrgy > 3 }', "unknown name 'enrgy'"],
  ['EDL220', 'npc n { control adversary hold when charge > 0.5 }', 'adversary_0 has none'],
  ['EDL301', 'npc n { control adversary hold when accel }', 'must be a condition'],
];

describe('npcKind', () => {
  test.each(misuses)('refuses with %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('attributes, relations and distance written bare are those of the agent itself', () => {
    const bare = accepted(
      'npc n { control agent chase nearest(adversary) when distance < 2 m and charge > 0.5 and sees(zone) hold when inside(zone_0) }',
    );
    const full = accepted(
      'npc n { control agent chase nearest(adversary to self) when distance(self, nearest(adversary)) < 2 m and self.charge > 0.5 and self.sees(zone) hold when inside(self, zone_0) }',
    );
    expect(bare.identity).toBe(full.identity);
  });

  test('a number without a unit is not joined with the behaviour after it', () => {
    const { ir } = accepted(
      'npc n { control agent hold when charge < 1 chase adversary_0 when charge > 0.2 otherwise visit }',
    );
    expect(ir.npcs[0]?.behaviours.map(({ behaviour }) => behaviour)).toEqual(['hold', 'chase', 'visit']);
  });

  test('npcs that cover a group together hand it over to the program', () => {
    const { spec } = accepted(
      'npc n { control agent_0 otherwise hold } npc o { control agent_1 otherwise chase }',
    );
    expect(spec.scripted).toEqual({ agent: 'npc' });
  });

  test('a group without npcs stays with its learner', () => {
    expect(accepted('npc n { control adversary otherwise hold }').spec.scripted).toEqual({
      adversary: 'npc',
    });
    expect(accepted('rule r { then agent.accel *= 2 }').spec.scripted).toEqual({});
  });

  test('a behaviour may leave the choice of its target to the scenario', () => {
    expect(diagnosed('npc n { control adversary otherwise chase }')).toEqual([]);
  });
});
