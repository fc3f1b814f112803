import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../../../src/engine/edl/edit/apply-changes.ts';
import type { ChangeOptions, EdlChange } from '../../../../src/engine/edl/types.ts';
import { testHost } from '../../../support/edl-manifests.ts';

const host = testHost();
const text = `// A world.
environment crowd extends spread {
  mission "Cover" // for the coach
  set agent.accel = 4 m/s^2  // odd   spacing stays

  // Why this is here.
  reward crowding "Keep room" {
    for a in agent
    when distance(a, nearest(landmark)) < 0.4 m // near
    give -1 to a
  }

  issue uncovered { when coverage < 50% }
}
`;

function changed(change: EdlChange, options: ChangeOptions = {}, from = text): string {
  const result = applyChanges(from, [change], host, options);
  if ('refused' in result) throw new Error(`${result.refused.code} ${result.refused.message}`);
  return result.text;
}

function refusal(change: EdlChange, options: ChangeOptions = {}, from = text): string {
  const result = applyChanges(from, [change], host, options);
  return 'refused' in result ? `${result.refused.code}: ${result.refused.message}` : result.text;
}

describe('applyChanges with one change', () => {
  test('removes a declaration with its lines and nothing else', () => {
    const block = text.slice(text.indexOf('  reward crowding'), text.indexOf('\n  issue'));
    expect(changed({ op: 'remove', target: 'reward crowding', edl: '' })).toBe(text.replace(block, ''));
  });

  test('removes a setting but keeps the comment beside it', () => {
    expect(changed({ op: 'remove', target: 'set agent.accel', edl: '' })).toBe(
      text.replace('  set agent.accel = 4 m/s^2', ''),
    );
  });

  test('modifies only the tokens that differ and keeps comments inside the declaration', () => {
    const edl =
      'reward crowding "Keep room" { for a in agent when distance(a, nearest(landmark)) < 0.4 m give -0.1 to a limit 5% of nominal }';
    expect(changed({ op: 'modify', target: 'reward crowding', edl })).toBe(
      text.replace('give -1 to a', 'give -0.1 to a\n    limit 5% of nominal'),
    );
  });

  test('modifies one number of a setting', () => {
    const edl = 'set agent.accel = 3.5 m/s^2';
    expect(changed({ op: 'modify', target: 'set agent.accel', edl })).toBe(text.replace('= 4 m', '= 3.5 m'));
  });

  test('adds a setting after the others and a block at the end, laid out', () => {
    expect(changed({ op: 'add', target: 'set local_ratio', edl: 'set local_ratio=30 %' })).toBe(
      text.replace('spacing stays\n', 'spacing stays\n  set local_ratio = 30%\n'),
    );
    const edl = 'rule slow { for a in agent then a.accel *= 0.5 }';
    expect(changed({ op: 'add', target: 'rule slow', edl })).toBe(
      text.replace(/}\n$/, '\n  rule slow {\n    for a in agent\n    then a.accel *= 0.5\n  }\n}\n'),
    );
  });

  test('adds to an environment of one line', () => {
    const from = 'environment x extends spread {}';
    const edl = 'rule slow { then agent.accel *= 0.5 }';
    expect(changed({ op: 'add', target: 'rule slow', edl }, {}, from)).toBe(
      'environment x extends spread {\n  rule slow {\n    then agent.accel *= 0.5\n  }\n}',
    );
    expect(changed({ op: 'add', target: 'set agent.accel', edl: 'set agent.accel = 4' }, {}, from)).toBe(
      'environment x extends spread {\n  set agent.accel = 4\n}',
    );
  });

  test('keeps line ends and indentation of the text', () => {
    const windows = text.replaceAll('\n', '\r\n').replaceAll('  ', '    ');
    const edl = 'rule slow { for a in agent\nthen a.accel *= 0.5 }';
    const result = changed({ op: 'add', target: 'rule slow', edl }, {}, windows);
    expect(result).toContain(
      '\r\n\r\n    rule slow {\r\n      for a in agent\r\n      then a.accel *= 0.5\r\n    }\r\n}\r\n',
    );
    expect(result.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('adding and removing again gives the text back, byte for byte (seed 3)', () => {
    const additions = [
      { target: 'set local_ratio', edl: 'set local_ratio = 20%' },
      { target: 'set agent.collide', edl: 'set agent.collide = false' },
      { target: 'rule slow', edl: 'rule slow { for a in agent then a.accel *= 0.5 }' },
      { target: 'reward near', edl: 'reward near "x" { give 0.1 to agent limit 5% of nominal }' },
      { target: 'issue i', edl: 'issue i { when collisions > 3 for 2 evaluations }' },
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(additions, { minLength: 1 }), (chosen) => {
        const grown = chosen.reduce(
          (so, { target, edl }) => changed({ op: 'add', target, edl }, {}, so),
          text,
        );
        const back = [...chosen]
          .reverse()
          .reduce((so, { target }) => changed({ op: 'remove', target, edl: '' }, {}, so), grown);
        expect(back).toBe(text);
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  test.each<[string, EdlChange, string]>([
    [
      'a missing target',
      { op: 'remove', target: 'reward crowdin', edl: '' },
      "EDL601: the text has no 'reward crowdin'; did you mean 'reward crowding'?",
    ],
    [
      'a target that exists',
      { op: 'add', target: 'reward crowding', edl: 'reward crowding { give 1 to agent }' },
      "EDL602: 'reward crowding' is there already",
    ],
    [
      'two declarations',
      {
        op: 'add',
        target: 'rule a',
        edl: 'rule a { then agent.accel *= 2 } rule b { then agent.accel *= 2 }',
      },
      'EDL603',
    ],
    ['a fragment', { op: 'modify', target: 'reward crowding', edl: 'give -0.5 to a' }, 'EDL603'],
    [
      'text beside a removal',
      { op: 'remove', target: 'reward crowding', edl: 'reward crowding { give 1 to agent }' },
      'EDL603',
    ],
    [
      'another declaration than the target',
      { op: 'modify', target: 'reward crowding', edl: 'reward other { give 1 to agent }' },
      "EDL604: the change declares 'reward other', the target is 'reward crowding'",
    ],
    [
      'a result with errors',
      { op: 'add', target: 'set agent.accel2', edl: 'set agent.accel2 = 3' },
      "EDL605: unknown parameter 'agent.accel2'",
    ],
    [
      'a value out of bounds',
      { op: 'modify', target: 'set agent.accel', edl: 'set agent.accel = 900' },
      'EDL605: agent.accel ranges from',
    ],
    ['what is no target', { op: 'remove', target: 'crowding', edl: '' }, 'EDL606'],
    [
      'an attempt to leave the block',
      {
        op: 'add',
        target: 'rule a',
        edl: 'rule a { then agent.accel *= 2 } }\nenvironment y extends spread {',
      },
      'EDL603',
    ],
  ])('refuses %s', (_, change, expected) => {
    expect(refusal(change).slice(0, expected.length)).toBe(expected);
  });

  test('refuses shapes and physics constants to a coach, not to a person', () => {
    const constant = { op: 'add', target: 'set world.damping', edl: 'set world.damping = 0.5' } as const;
    const shape = { op: 'add', target: 'set agent.count', edl: 'set agent.count = 4' } as const;
    expect(refusal(constant, { author: 'coach' })).toBe(
      "EDL607: 'world.damping' is reserved to a person: drag",
    );
    expect(refusal(shape, { author: 'coach' })).toContain('EDL607');
    const mission = { op: 'modify', target: 'mission', edl: 'mission "Win"' } as const;
    expect(refusal(mission, { author: 'coach' })).toContain('EDL607');
    expect(changed(mission)).toContain('mission "Win" // for the coach');
    expect(changed(constant, { author: 'person' })).toContain('set world.damping = 0.5');
    expect(changed(shape)).toContain('set agent.count = 4');
  });

  test('refuses to edit a text that does not parse', () => {
    const change = { op: 'remove', target: 'reward crowding', edl: '' } as const;
    expect(refusal(change, {}, text.replace('{', ''))).toContain('EDL605: the text itself does not parse');
  });
});
