import { describe, expect, test } from 'vitest';
import {
  declarationGrammar,
  type GrammarRequest,
  proposalGrammar,
} from '../../../../src/engine/edl/gbnf/index.ts';
import { AppError } from '../../../../src/shared/std/app-error.ts';
import { arenaManifest } from '../../../support/edl-arena.ts';

function refusal(request: Omit<GrammarRequest, 'manifest'>, grammar = declarationGrammar): string {
  try {
    grammar({ manifest: arenaManifest(), ...request });
    return '';
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return `${thrown.code}: ${thrown.message}`;
  }
}

describe('names', () => {
  test.each(['größe', '"x"', 'a b', '', '9lives', 'a.b', '-x'])('%s is none', (name) => {
    expect(refusal({ names: [name] })).toMatch(/^input\.invalid: .* is no name: names are made of/);
  });

  test('of the scenario are taken where they would be reported beside it', () => {
    const metric = arenaManifest().metrics[0]?.name ?? '';
    const component = arenaManifest().components[0]?.name ?? '';
    expect(refusal({ names: [metric] })).toContain(`'${metric}' is taken: it is a metric of the scenario`);
    expect(refusal({ names: [component], kinds: ['reward'] })).toContain('is taken: it is a base reward');
    expect(refusal({ names: [metric], kinds: ['regime'] })).toBe('');
  });

  test('of the text are taken', () => {
    const targets = ['rule tiring', 'regime calm'];
    expect(refusal({ names: ['tiring'], kinds: ['reward'], targets })).toContain(
      "the text has 'rule tiring'",
    );
    expect(refusal({ names: ['calm'], kinds: ['reward'], targets })).toBe('');
    expect(refusal({ names: ['calm'], kinds: ['regime'], targets })).toContain("the text has 'regime calm'");
    expect(refusal({ names: [] })).toContain('no name is given');
    expect(refusal({ names: ['crowding', 'spread_out'], targets })).toBe('');
    // Settings have no names of their own.
    expect(refusal({ names: ['agent.accel'], kinds: ['set'] })).toBe('');
  });
});

describe('targets', () => {
  test.each([
    ['rule', 'write kind and name'],
    ['frob x', 'kinds are mission, set'],
    ['', 'is no target'],
    ['schedule x', 'is no target'],
    ['rule  tiring', 'write "rule tiring"'],
    ['set agent.acel', "no parameter 'agent.acel'; did you mean 'agent.accel'?"],
    ['capacity agent', "no set with a capacity 'agent'"],
  ])('%s is none', (target, message) => {
    expect(refusal({ targets: [target] })).toContain(message);
  });

  test.each([
    'rule tiring',
    'schedule',
    'mission',
    'set agent.accel',
    'capacity adversary',
    'without rule x',
  ])('%s is one', (target) => {
    expect(refusal({ targets: [target] })).toBe('');
  });

  test('the grammar of whole answers is as strict', () => {
    const lengths = { analysis: 20, description: 20, why: 20, wish: 20, wishes: 1 };
    const whole = (request: GrammarRequest) =>
      proposalGrammar({ ...request, metrics: ['x'], maxChanges: 1, lengths });
    expect(refusal({ targets: ['frob x'] }, whole)).toContain('is no target');
    expect(refusal({ names: ['a b'] }, whole)).toContain('is no name');
  });
});
