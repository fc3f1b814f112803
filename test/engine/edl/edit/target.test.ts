import { describe, expect, test } from 'vitest';
import { parseTarget } from '../../../../src/engine/edl/edit/target.ts';
import { declarationKindNames } from '../../../../src/engine/edl/types.ts';

describe('parseTarget', () => {
  test.each(declarationKindNames)('reads a target of kind %s in normal spelling', (kind) => {
    const name =
      { mission: '', schedule: '', set: 'agent.accel', without: 'rule tiring' }[kind as string] ?? 'crowding';
    const spelled = `${kind} ${name}`.trim();
    expect(parseTarget(`  ${spelled.replaceAll(' ', '   ')} `)).toEqual({ kind, target: spelled });
  });

  test('what is dropped may be a parameter, or what has no name', () => {
    expect(parseTarget('without set agent.accel')?.target).toBe('without set agent.accel');
    expect(parseTarget('without mission')?.target).toBe('without mission');
  });

  test.each([
    '',
    'crowding',
    'rule',
    'rule a.b',
    'rule 2fast',
    'rule a b',
    'mission x',
    'schedule x',
    'without',
    'without x',
    'without without rule x',
    'environment x',
    'reward "x"',
  ])('%j is no target', (target) => {
    expect(parseTarget(target)).toBeNull();
  });
});
