import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import { canonicalJson, identityOf } from '../../../src/engine/edl/identity.ts';
import type { EdlHost } from '../../../src/engine/edl/types.ts';
import { arenaHost } from '../../support/edl-arena.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { environmentOf } from '../../support/edl-text.ts';
import { simHost } from '../../support/sim-host.ts';

const host = testHost();
const hosts: Readonly<Record<string, EdlHost>> = { arena: arenaHost(), capture: simHost() };

function identity(declarations: string, scenario = 'spread'): string {
  const text = environmentOf(declarations, scenario);
  const { environment, diagnostics } = compile(text, hosts[scenario] ?? host);
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return environment.identity;
}

const near = 'reward near { for a in agent when distance(a, nearest(landmark)) < 0.3 m give 1 to a }';
const quick = 'rule quick { for a in agent when time < 20 steps then a.accel *= 1.3 }';

describe('identityOf', () => {
  test('is the SHA-256 of the canonical JSON', () => {
    const { environment } = compile(environmentOf(near), host);
    if (environment === null) throw new Error('does not compile');
    const expected = createHash('sha256').update(canonicalJson(environment.ir)).digest('hex');
    expect(identityOf(environment.ir)).toBe(expected);
    expect(environment.identity).toBe(expected);
  });

  test.each([
    ['comments and layout', `// why\n${near.replaceAll(' ', '\n  ')} /* done */`, near],
    [
      'the order of declarations',
      `${near}\n${quick}\nset agent.accel = 4`,
      `set agent.accel = 4\n${quick}\n${near}`,
    ],
    ['names of loop variables', near.replaceAll(/\ba\b/g, 'someone'), near],
    ['descriptions and the mission', `mission "x"\n${near.replace('near {', 'near "close" {')}`, near],
    ['the unit a constant is written in', quick.replace('20 steps', '2 s'), quick],
    [
      'the side a comparison is written from',
      near.replace('distance(a, nearest(landmark)) < 0.3 m', '0.3 m > distance(a, nearest(landmark))'),
      near,
    ],
    [
      'how a constant is computed',
      near.replace('0.3 m', '(0.1 m + 0.2 m) * 1').replace('give 1', 'give 2 / 2'),
      near.replace('0.3 m', '0.30000000000000004 m'),
    ],
    ['a parameter set to its default', `set agent.accel = 5\n${near}`, near],
    ['brackets', near.replace('give 1', 'give (((1)))'), near],
  ])('does not depend on %s', (_, one, other) => {
    expect(identity(one)).toBe(identity(other));
  });

  const calm = 'regime calm default { set agent.accel = 3 }';
  const rough = 'regime rough { set agent.accel = 1 }';
  const enters = (what: string) => `${calm} ${rough} schedule { every 5 steps enter ${what} }`;
  test.each([
    ['a schedule that starts in the default and enters nothing', calm, `${calm} schedule { start calm }`],
    ['an empty schedule', '', 'schedule { }'],
    ['an empty schedule beside regimes', calm, `${calm} schedule { }`],
    [
      'a default that only the schedule makes one',
      'regime a regime b schedule { start b }',
      'regime a regime b default',
    ],
    [
      'a start that is the default anyway',
      enters('rough'),
      enters('rough').replace('{ every', '{ start calm every'),
    ],
    ['the order of one regime', enters('rough'), enters('rough in random order')],
    ['the turn of one regime', enters('rough'), enters('rough in turn')],
    ['how often one regime is listed', enters('rough'), enters('rough, rough in random order')],
    ['a chance of 100%', enters('rough'), enters('rough').replace('enter', 'with chance 100% enter')],
    ['a stay of one length', enters('rough leave after 3 steps'), enters('rough leave after 3..3 steps')],
    ['a ramp of nothing', 'regime calm default', 'regime calm default { ramp 5 steps }'],
    ['how a capacity is spelled', 'capacity adversary 4', 'set adversary.capacity = 4'],
    ['a capacity of the usual size', '', 'set adversary.capacity = 0'],
  ])('does not depend on %s, in what control does', (_, one, other) => {
    expect(identity(one, 'arena')).toBe(identity(other, 'arena'));
  });

  test('a capacity that the scenario has anyway is none (capture)', () => {
    expect(identity('capacity supply 2', 'capture')).toBe(identity('', 'capture'));
    expect(identity('capacity supply 3', 'capture')).toBe(identity('set supply.capacity = 3', 'capture'));
    expect(identity('capacity supply 3', 'capture')).not.toBe(identity('', 'capture'));
  });

  test.each([
    ['a start that is not the default', calm + rough, `${calm} ${rough} schedule { start rough }`],
    ['the order of two regimes', enters('rough, calm in turn'), enters('rough, calm in random order')],
    ['a capacity', 'capacity adversary 4', 'capacity adversary 3'],
  ])('depends on %s, in what control does', (_, one, other) => {
    expect(identity(one, 'arena')).not.toBe(identity(other, 'arena'));
  });

  test.each([
    ['a threshold', near.replace('0.3', '0.31'), near],
    ['a parameter', `set agent.accel = 4\n${near}`, near],
    ['the name of a reward', near.replace('near {', 'close {'), near],
    ['a limit', near.replace('to a }', 'to a limit 5% of nominal }'), near],
    ['the operator of an effect', quick.replace('*= 1.3', '= 1.3'), quick],
    ['an issue', `${near}\nissue i { when coverage < 50% }`, near],
  ])('depends on %s', (_, one, other) => {
    expect(identity(one)).not.toBe(identity(other));
  });

  test('depends on the scenario and its version', () => {
    const base = identity(near);
    expect(identity(near, 'pursuit')).not.toBe(base);
    const newer = { manifest: () => ({ ...(host.manifest('spread', {}) ?? never()), version: 2 }) };
    expect(compile(environmentOf(near), newer).environment?.identity).not.toBe(base);
  });

  test('equal identities have equal bytecode', () => {
    const program = (text: string) => compile(environmentOf(text), host).environment?.spec.program;
    expect(program(`${near}\n${quick}`)).toEqual(program(`${quick}\n// moved\n${near}`));
  });
});

function never(): never {
  throw new Error('the test host has no spread');
}
