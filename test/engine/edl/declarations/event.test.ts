import { describe, expect, test } from 'vitest';
import { accepted, expectMisuse, type Misuse } from '../../../support/edl-checks.ts';

const misuses: Misuse[] = [
  ['EDL216', 'event e { every 5 steps spawn suply }', "unknown event to spawn 'suply'", 'supply'],
  ['EDL311', 'event e { every 5 steps spawn push agent }', "write 'disturb push'", 'disturb'],
  ['EDL311', 'event e { every 5 steps disturb push }', "'disturb push' needs an agent"],
  ['EDL311', 'event e { every 5 steps disturb push zone_0 }', 'happens to an agent, not to a landmark'],
  ['EDL311', 'event e { every 5 steps disturb push agent at random }', 'takes no place'],
  ['EDL311', 'event e { every 5 steps spawn supply zone_0 }', "write 'spawn supply at …'"],
  ['EDL311', 'event e { every 5 steps spawn supply by 3 at random }', 'takes no amount'],
  ['EDL401', 'event e { every 5 steps disturb push agent by 9 m/s }', '0 m/s to 5 m/s', '5 m/s'],
  ['EDL302', 'event e { every 5 steps disturb push agent by 2 m }', 'is a speed (m/s), not a length'],
  ['EDL505', 'event e { every 0 steps spawn supply }', 'ranges from 1', '1 step'],
  ['EDL505', 'event e { every 0.7 s spawn supply }', 'a whole number of steps (of 0.5 s)', '1 step'],
  ['EDL505', 'event e { every 5 steps with chance 120% spawn supply }', '0% to 100%', 'with chance 100%'],
  ['EDL503', 'event e { every 5 steps with chance 20% with chance 2% spawn supply }', 'given twice'],
  ['EDL302', 'event e { every 5 m spawn supply }', 'is a time (s, steps)', 'steps'],
  ['EDL515', 'event e { spawn supply }', 'does not say when'],
  ['EDL514', 'event e { at step 100 spawn supply }', 'an episode has 100 steps, the last is step 99'],
  ['EDL514', 'event e { every 5 steps with chance 0% spawn supply }', 'never happens'],
  ['EDL209', 'event e { every 5 steps spawn supply } rule e { then agent.accel *= 2 }', 'declared twice'],
];

describe('eventKind', () => {
  test.each(misuses)('refuses with %s: %s', (...misuse) => {
    expectMisuse(misuse);
  });

  test('brings seconds to steps and fills in the amount that is not written', () => {
    const { ir } = accepted('event e { every 10 s with chance 25% for a in agent disturb push a }');
    expect(ir.events).toEqual([
      {
        name: 'e',
        trigger: { op: 'every', steps: 20 },
        chance: 0.25,
        loops: [{ op: 'set', name: 'agent' }],
        condition: { op: 'boolean', value: true },
        actions: [
          {
            verb: 'disturb',
            event: 'push',
            amount: { op: 'number', value: 1 },
            target: { op: 'variable', index: 0 },
          },
        ],
      },
    ]);
  });

  test('takes places at entities, at random, and none', () => {
    const { ir } = accepted(
      'event e { at step 3 spawn supply spawn supply at random spawn supply at nearest(zone to agent_0) }',
    );
    expect(ir.events[0]?.actions.map((action) => action.target?.op ?? null)).toEqual([null, null, 'nearest']);
  });

  test('a clock and a condition may go together, in whatever order the chance is written', () => {
    const one = accepted('event e { every 4 steps when time > 3 steps with chance 5% spawn supply }');
    const other = accepted('event e { every 4 steps with chance 5% when time > 3 steps spawn supply }');
    expect(one.identity).toBe(other.identity);
  });

  test('the declaration before it in the text does not change its random draws', () => {
    const alone = accepted('event gift { every 5 steps with chance 20% spawn supply }');
    const beside = accepted(
      'event aid { every 5 steps spawn supply } event gift { every 5 steps with chance 20% spawn supply }',
    );
    const keyOf = (environment: typeof alone) =>
      environment.spec.program?.declarations.find(({ name }) => name === 'gift')?.key;
    expect(keyOf(alone)).toBeDefined();
    expect(keyOf(beside)).toBe(keyOf(alone));
  });
});
