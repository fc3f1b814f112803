import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import { canonicalJson, identityOf } from '../../../src/engine/edl/identity.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { environmentOf } from '../../support/edl-text.ts';

const host = testHost();

function identity(declarations: string, scenario = 'spread'): string {
  const { environment, diagnostics } = compile(environmentOf(declarations, scenario), host);
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
