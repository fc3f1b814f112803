import { describe, expect, test } from 'vitest';
import { explain } from '../../../../src/engine/edl/explain/explain.ts';
import { arenaHost } from '../../../support/edl-arena.ts';

/** What explain says of declarations in an arena, between its head and its foot. */
function explained(body: string): string {
  const result = explain(`environment e extends arena {\n${body}\n}`, arenaHost());
  if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.text.slice(0, result.text.indexOf('Base reward'));
}

describe('explain', () => {
  test('an event: when, for whom, what, and within which bounds', () => {
    const text = explained(
      'event shove "A push" { every 5 s with chance 20% for a in agent when a.speed > 1 m/s disturb push a by 2 m/s spawn supply }',
    );
    expect(text).toContain('event shove: A push');
    expect(text).toContain('every 5 s, for a in agent, when a.speed > 1 m/s, with chance 20%:');
    expect(text).toContain('disturb push a by 2 m/s: a shove (0 m/s to 5 m/s)');
    expect(text).toContain('spawn supply: appears');
  });

  test('an event by the clock alone does not happen at every step', () => {
    const text = explained('event shove { every 5 s with chance 20% for a in agent disturb push a }');
    expect(text).toContain('every 5 s, for a in agent, with chance 20%:');
  });

  test('an event without an amount: the usual one', () => {
    expect(explained('event e { at step 3 disturb push agent }')).toContain('(0 m/s to 5 m/s; by 1 m/s)');
  });

  test('an npc: whom it controls, and its behaviours in order', () => {
    const text = explained(
      'npc n { control agent chase adversary_0 when distance < 2 m visit when charge > 0.5 }',
    );
    expect(text).toContain('controls agent_0, agent_1; of what holds, the first:');
    expect(text).toContain('chase adversary_0 when distance < 2 m: runs after');
    expect(text.indexOf('visit when')).toBeGreaterThan(text.indexOf('chase adversary_0'));
    expect(text).toContain('where none of these holds, no action');
  });

  test('regimes and schedule: what is set, within which bounds, and when', () => {
    const text = explained(
      `regime calm default safe policy steady "Even"
       regime storm { set agent.accel = 9 ramp 4 steps }
       schedule { at step 5 enter storm leave after 2..4 steps }`,
    );
    expect(text).toContain('regime calm: Even (the default, safe to fall back to, policy steady)');
    expect(text).toContain('set agent.accel = 9 (the scenario has 5 m/s^2; 0 m/s^2 to 20 m/s^2)');
    expect(text).toContain('ramp 4 steps');
    expect(text).toContain('an episode starts in calm');
    expect(text).toContain('at step 5 enter storm leave after 2..4 steps');
  });

  test('a recognised regime by its condition, a capacity by the parameter it is for', () => {
    const text = explained('regime calm regime late { when time > 5 steps } capacity adversary 3');
    expect(text).toContain('recognised when time > 5 steps');
    expect(text).toContain('capacity adversary 3: adversary.count may change up to it');
  });
});
