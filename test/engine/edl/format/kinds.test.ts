import { describe, expect, test } from 'vitest';
import { format } from '../../../../src/engine/edl/format/format.ts';
import { parseText } from '../../../../src/engine/edl/parse.ts';

const tidy = (body: string): string => {
  const result = format(`environment e extends capture {\n${body}\n}`);
  if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.text;
};

/** One line for each kind, as a model would write it, with the lines that become of it. */
const written: readonly (readonly [string, string[]])[] = [
  [
    'event a "x" {every 5 s with chance 2% for b in red when b.x>1 m disturb push b by 3 m/s spawn supply at random}',
    [
      'event a "x" {',
      '  every 5 s with chance 2%',
      '  for b in red',
      '  when b.x > 1 m',
      '  disturb push b by 3 m/s',
      '  spawn supply at random',
      '}',
    ],
  ],
  [
    'event a{when time>3 steps with chance 5% remove supply nearest(supply to red_0)}',
    ['event a {', '  when time > 3 steps with chance 5%', '  remove supply nearest(supply to red_0)', '}'],
  ],
  [
    'npc a{control blue chase nearest(red)when distance<2 m otherwise hold}',
    ['npc a {', '  control blue', '  chase nearest(red) when distance < 2 m', '  otherwise hold', '}'],
  ],
  [
    'constraint a{for b in red never b.hits(ally(b))penalty 0.1 to b limit 5%of nominal}',
    [
      'constraint a {',
      '  for b in red',
      '  never b.hits(ally(b))',
      '  penalty 0.1 to b',
      '  limit 5% of nominal',
      '}',
    ],
  ],
  [
    'metric a{for b in red b.x+1 m unit m over episode max better lower}',
    ['metric a {', '  for b in red', '  b.x + 1 m', '  unit m', '  over episode max', '  better lower', '}'],
  ],
  [
    'issue a{for b in red when b.kills<1 until b.kills>2 for 3 evaluations}',
    ['issue a {', '  for b in red', '  when b.kills < 1', '  until b.kills > 2', '  for 3 evaluations', '}'],
  ],
  [
    'regime a default safe policy p "d"{set blue.boldness=1 set red.boldness=0 ramp 3 steps}',
    [
      'regime a default safe policy p "d" {',
      '  set blue.boldness = 1',
      '  set red.boldness = 0',
      '  ramp 3 steps',
      '}',
    ],
  ],
  ['regime a   safe', ['regime a safe']],
  [
    'schedule{start a at step 3 enter a,b in random order leave after 3 .. 4 s every 2 steps enter a}',
    [
      'schedule {',
      '  start a',
      '  at step 3 enter a, b in random order leave after 3..4 s',
      '  every 2 steps enter a',
      '}',
    ],
  ],
  [
    'stage a{set x=1 until success>80%for 2 evaluations}',
    ['stage a {', '  set x = 1', '  until success > 80% for 2 evaluations', '}'],
  ],
  ['capacity   red 3', ['capacity red 3']],
  ['without   rule a', ['without rule a']],
  [
    'rule a{then b.x*=2 lasting}reward c{give 1 to red potential}',
    ['rule a {', '  then b.x *= 2 lasting', '}', '', 'reward c {', '  give 1 to red', '  potential', '}'],
  ],
];

describe('the layout of every kind', () => {
  test.each(written)('%s', (body, lines) => {
    const text = tidy(body);
    const expected = lines.map((line) => (line === '' ? '' : `  ${line}`));
    expect(text.trimEnd().split('\n').slice(1, -1)).toEqual(expected);
    expect(tidy(expected.join('\n'))).toBe(text);
  });

  test('comments between the clauses stay where they are', () => {
    const body = [
      '  schedule {',
      '    // at first',
      '    start calm',
      '    at step 3 enter storm // later',
      '    /* and again */',
      '    every 9 steps enter storm leave after 3..4 steps',
      '  }',
    ].join('\n');
    expect(tidy(body)).toBe(`environment e extends capture {\n${body}\n}\n`);
  });
});

describe('words of the language as names', () => {
  test.each([
    'rule schedule { for start in random when start.until > 1 then start.every *= 2 }',
    'event event { every 3 steps spawn spawn at order }',
    'npc npc { control control chase policy when chance > 2 otherwise ramp }',
    'regime regime policy default { set set.metric = safe }',
    'regime default default',
    'schedule { start start every 3 steps enter enter, leave in turn leave after 1..2 s }',
    'capacity capacity 3',
  ])('%s', (body) => {
    expect(parseText(`environment environment extends extends { ${body} }`).diagnostics).toEqual([]);
  });

  test('a unit that is none is named as such, and not taken for a behaviour', () => {
    const { diagnostics } = parseText('environment e extends x { rule r { when time > 5 km then a.x = 1 } }');
    expect(diagnostics.map(({ code, suggestions }) => [code, suggestions[0]])).toEqual([['EDL207', 'm']]);
  });
});
