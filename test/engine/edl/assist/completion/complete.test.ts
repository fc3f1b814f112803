import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complete } from '../../../../../src/engine/edl/assist/index.ts';
import { compile } from '../../../../../src/engine/edl/index.ts';
import { arenaHost } from '../../../../support/edl-arena.ts';
import { atCursor } from '../../../../support/edl-cursor.ts';

function itemsAt(marked: string) {
  const { scene, position } = atCursor(marked);
  return complete(scene, position);
}

/** Labels where `|` stands, in an environment over `arena` unless the text is a whole one. */
function labels(marked: string): string[] {
  const whole = marked.startsWith('environment') ? marked : `environment e extends arena {\n${marked}`;
  return itemsAt(whole).map((item) => item.label);
}

const rule = 'rule r {\n  for a in agent\n  for g in zone\n';

describe('complete', () => {
  test('offers the scenarios after extends', () => {
    expect(labels('environment e extends |')).toEqual(['arena']);
  });

  test('offers whole declarations where one may begin, also in the middle of a text', () => {
    const declarations = labels('|');
    expect(declarations).toEqual(expect.arrayContaining(['rule', 'npc', 'schedule', 'set', 'without']));
    expect(labels('rule a { then agent.charge = 1 }\n|\nrule b { then agent.charge = 1 }')).toEqual(
      declarations,
    );
    expect(labels('|\n}\n')).toEqual(declarations);
  });

  test('offers the nearest of those of which something holds wherever the nearest may stand', () => {
    for (const marked of [`${rule}  when distance(a, |`, 'npc n {\n  control agent\n  goto |'])
      expect(labels(marked)).toContain('nearest where');
    const item = itemsAt(`environment e extends arena {\n${rule}  when distance(a, |`).find(
      ({ label }) => label === 'nearest where',
    );
    expect(item?.insertText.replace(/\$\{\d:([^}]*)\}/g, '<$1>')).toBe(
      'nearest(<member> in <set> where <…>)',
    );
  });

  test.each(['(', 'sum(x in agent where ', 'sum over x in agent of '])(
    'answers behind thousands of %s in seconds, not minutes',
    (piece) => {
      const startedAt = performance.now();
      expect(labels(`${rule}  when ${piece.repeat(20_000 / piece.length)}|`)).not.toEqual([]);
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    },
  );

  test('knows the member in the condition, and not behind `to`', () => {
    expect(labels(`${rule}  when distance(a, nearest(z in zone where |`)).toContain('z');
    expect(labels(`${rule}  when distance(a, nearest(z in zone where z.x > 1 m to |`)).not.toContain('z');
    expect(labels(`${rule}  when nearest(z in zone where z.x > 1 m).|`)).toContain('x');
  });

  test('every snippet is a declaration once its places are filled in', () => {
    for (const { label, insertText } of itemsAt('environment e extends arena {\n|\n}')) {
      const text = insertText.replace(/\$\{\d:([^}]*)\}/g, '$1').replace('when condition', 'when time > 1 s');
      const { diagnostics } = compile(`environment e extends arena {\n${text}\n}`, arenaHost());
      expect(
        diagnostics.filter(({ code }) => code < 'EDL2').map(({ message }) => `${label}: ${message}`),
      ).toEqual([]);
    }
  });

  test('offers parameters after set by their whole names, those that are set already left out', () => {
    expect(labels('set |')).toContain('adversary.count');
    expect(labels('set adversary.|')).toContain('adversary.count');
    expect(labels('set adversary.count = 2\nset |')).not.toContain('adversary.count');
    const [item] = itemsAt('environment e extends arena {\n  set adversary.co|');
    expect(item?.range).toEqual({ start: { line: 1, character: 6 }, end: { line: 1, character: 18 } });
  });

  test('offers the default and the bounds of a parameter', () => {
    expect(
      itemsAt('environment e extends arena {\nset adversary.count = |').map(({ detail }) => detail),
    ).toEqual(['default', 'least', 'most']);
  });

  test('offers sets after in, and what makes one of an agent', () => {
    expect(labels('rule r { for a in |')).toEqual([
      'adversary',
      'agent',
      'zone',
      'goal',
      'ally',
      'other',
      'opponent',
    ]);
  });

  test('offers the attributes that what stands before the dot has', () => {
    expect(labels(`${rule}  when a.|`)).toEqual(
      expect.arrayContaining(['x', 'charge', 'sees', 'path_length']),
    );
    expect(labels(`rule r { for b in adversary when b.|`)).not.toContain('charge');
    expect(labels(`${rule}  when g.|`)).not.toContain('sees');
    expect(labels(`${rule}  when nearest(zone to a).|`)).not.toContain('charge');
  });

  test('offers only writable attributes on the left of an effect', () => {
    expect(labels(`${rule}  then a.|`)).toContain('charge');
    expect(labels(`${rule}  then a.|`)).not.toContain('x');
  });

  test.each([
    ['the other side of a comparison', 'when distance(a, g) < 0.3 |', ['m']],
    ['what it is added to', 'when distance(a, g) + 0.3 |', ['m']],
    ['what it is compared with, through functions and brackets', 'when distance(a, g) < min((3 |', ['m']],
    ['a signal in steps', 'when time > 3 |', ['s', 'step', 'steps']],
    ['the attribute that is set', 'then a.charge = 3 |', ['%']],
    ['a factor', 'then a.charge *= 3 |', ['%']],
  ])('offers the units of %s', (_, clause, units) => {
    expect(
      itemsAt(`environment e extends arena {\n${rule}  ${clause}`)
        .filter(({ kind }) => kind === 'unit')
        .map(({ label }) => label),
    ).toEqual(units);
  });

  test('offers units of time after every, ramp and decay, and that of an amount', () => {
    const times = ['s', 'step', 'steps'];
    const units = (text: string) => labels(text).filter((label) => /^(%|m|s|steps?|deg|m\/s.*)$/.test(label));
    expect(units('event e { every 200 |')).toEqual(times);
    expect(units('regime r { ramp 20 |')).toEqual(times);
    expect(units('reward r { give 1 to agent decay half every 200k |')).toEqual(times);
    expect(units('event e { at step 3 disturb push agent_0 by 3 |')).toEqual(['m/s']);
  });

  test('offers entities where one is wanted, and sets to nearest', () => {
    const entities = labels(`${rule}  when distance(|`);
    expect(entities).toEqual(expect.arrayContaining(['a', 'g', 'agent_0', 'nearest']));
    expect(entities).not.toContain('time');
    expect(labels(`${rule}  when nearest(|`)).toEqual(expect.arrayContaining(['zone', 'ally']));
    expect(labels(`${rule}  when nearest(|`)).not.toContain('agent_0');
  });

  test('offers events by their verb, behaviours, and attributes of the agent itself in an npc', () => {
    expect(labels('event e { every 3 steps disturb |')).toEqual(['push']);
    expect(labels('event e { every 3 steps spawn |')).toEqual(['supply']);
    expect(labels('npc n { control adversary |')).toEqual(
      expect.arrayContaining(['chase', 'hold', 'visit', 'otherwise']),
    );
    expect(labels('npc n { control agent hold when |')).toEqual(expect.arrayContaining(['charge', 'self']));
  });

  test('offers what is declared: regimes to enter, events to recent, metrics to issues', () => {
    expect(labels('regime calm "x" {}\nschedule { every 3 steps enter |')).toEqual(['calm']);
    expect(labels('event gust { every 3 steps spawn supply at random }\nrule r { when recent(|')).toContain(
      'gust',
    );
    expect(labels('metric reach { time unit s }\nissue i { when |')).toContain('reach');
    expect(labels('issue i { when |')).not.toContain('time');
  });

  test('offers variables only where they are known', () => {
    expect(labels('rule r { for a in agent when any(b in ally(a) where |')).toEqual(
      expect.arrayContaining(['a', 'b']),
    );
    const after = labels('rule r { for a in agent when any(b in ally(a) where time > 1 s) and |');
    expect(after).toContain('a');
    expect(after).not.toContain('b');
    expect(labels('rule r { for a in agent then a.charge = 1 }\nrule s { when |')).not.toContain('a');
  });

  test('is silent in comments and strings and behind the end', () => {
    expect(labels('// when |')).toEqual([]);
    expect(labels('rule r { /* a.| */')).toEqual([]);
    expect(labels('rule r "say |')).toEqual([]);
    expect(labels('rule r "say |" {')).toEqual([]);
    expect(labels('}\n|')).toEqual([]);
  });

  test('reads on past what does not parse', () => {
    expect(
      labels('rule broken { for a in\nrule r { for b in agent when b.|\nrule s { then agent.charge = 1 }'),
    ).toContain('charge');
    expect(labels('rule r { for a in agent when distance(a, give a.|')).toContain('charge');
    expect(labels('rule r { for a in agent ) ) when a.|')).toContain('charge');
  });

  test('answers at every place of any text (seeded)', () => {
    const words = [
      'rule',
      'r',
      '{',
      '}',
      'for',
      'a',
      'in',
      'agent',
      'when',
      'a.',
      '(',
      ')',
      '"x',
      '0.3',
      'm',
      'npc',
      '|',
      '/*',
      '//',
      '\n',
      'set',
      '=',
      '%',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (soup) => {
        const items = itemsAt(`environment e extends arena { ${soup.join(' ')}`);
        expect(new Set(items.map(({ label }) => label)).size).toBe(items.length);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
