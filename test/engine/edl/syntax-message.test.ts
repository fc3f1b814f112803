import { describe, expect, test } from 'vitest';
import { parseText } from '../../../src/engine/edl/parse.ts';

/** The first thing that is wrong with a declaration, in words. */
function problemOf(declaration: string): string {
  return parseText(`environment e extends x { ${declaration} }`).diagnostics[0]?.message ?? '';
}

describe('describeSyntaxError', () => {
  test.each([
    ['event e { every 200 steps }', "expected 'spawn', 'disturb' or 'remove'"],
    ['event e { every 200 steps spawn x with chance 20% }', "'with chance' comes before what happens"],
    ['event e { for a in red every 5 steps spawn x }', "'every' comes before 'for' and 'when'"],
    ['event e { spawn x when time > 3 steps }', "'when' comes before what happens"],
    ['event e { every 200 spawn x }', "found 'spawn'; expected a unit"],
    ['schedule { at step 4 enter a with chance 2% }', "'with chance' comes before 'enter'"],
    ['schedule { at step 5 a }', "found 'a'; expected 'enter'"],
    ['schedule storms { start a }', "found 'storms'; expected '{'"],
    ['npc n { chase red_0 when a > 3 }', "found 'chase'; expected 'control'"],
    ['regime r { set a.b 3 }', "found '3'; expected '='"],
    ['rule r { when a.c > 2 for a in red then a.b = 1 }', "'for' comes before 'when' and 'then'"],
    ['constraint c { for a in red a.x > 3 m }', "expected 'never' or 'always'"],
    ['metric m { for a in agent (time) }', "'agent (time)' is read as a set with an argument, as in ally(a)"],
    ['metric m { for a in agent (time) + 1 s }', "write 'time' without brackets"],
    ['metric m { for a in agent (time) unit steps }', "write 'time' without brackets"],
    ['metric m { for a in ally (b) + 1 s }', "found '+'; expected"],
    [
      'reward r { for a in red when distance(a, nearest(point) < 10 m give 1 to a }',
      "found 'give'; expected ',' or ')'",
    ],
    [
      'reward r { for a in red when distance(a nearest(b)) < 1 m give 1 to a }',
      "found 'nearest'; expected ',' or ')'",
    ],
    [
      'reward r { for a in red when count(b in red where b.x > 1 m give 1 to a }',
      "found 'give'; expected ')'",
    ],
    ['reward r { for a in red give min(1, 2 to a }', "found '}'; expected ',' or ')'"],
    ['reward r { for a in red give 2 * max(min(1 2), 3) to a }', "found '2'; expected ',' or ')'"],
    ['regime r { set a.b (3) }', "found '('; expected '='"],
    ['npc n { control blue goto nearest(point where owner != 2) }', 'nearest(p in point where p.…)'],
    ['issue i { when count(red where health < 50%) > 1 }', 'count(r in red where r.…)'],
    ['evnt e { }', "'evnt' begins no declaration; did you mean 'event'?"],
    ['xyzzy e { }', 'expected a declaration (mission, set, capacity'],
  ])('%s', (declaration, message) => {
    expect(problemOf(declaration)).toContain(message);
  });
});

test('the quick fix of a bracket after a set takes the brackets away', () => {
  for (const [text, fixed] of [
    ['metric m { for a in agent (time) }', 'metric m { for a in agent time }'],
    ['metric m { for a in agent( time ) }', 'metric m { for a in agent time }'],
  ] as const) {
    const [problem] = parseText(`environment e extends x { ${text} }`).diagnostics;
    const { start, end } = problem?.range ?? {};
    const whole = `environment e extends x { ${text} }`;
    const [fix = ''] = problem?.suggestions ?? [];
    expect(whole.slice(0, start?.character) + fix + whole.slice(end?.character)).toBe(
      `environment e extends x { ${fixed} }`,
    );
  }
});

test('the quick fix of a condition without a name gives the member one, and each comparison', () => {
  for (const [written, fixed] of [
    [
      'nearest(point where owner != 0 and not (x > 1 m))',
      'nearest(p in point where p.owner != 0 and not (p.x > 1 m))',
    ],
    ['nearest(supply where x > 1 m)', 'nearest(su in supply where su.x > 1 m)'],
    ['nearest(ally(a) where health < 50% to b)', 'nearest(al in ally(a) where al.health < 50% to b)'],
  ] as const) {
    const text = (call: string) =>
      `environment e extends x { reward r { for a in red give distance(a, ${call}) / 1 m to a } }`;
    const [problem] = parseText(text(written)).diagnostics;
    const from = problem?.range.start.character ?? 0;
    const to = problem?.range.end.character ?? 0;
    expect(text(written).slice(0, from) + problem?.suggestions[0] + text(written).slice(to)).toBe(
      text(fixed),
    );
    expect(parseText(text(fixed)).diagnostics).toEqual([]);
  }
  expect(
    parseText('environment e extends x { rule r { when distance(a, nearest(b where c < 1 m then a.x = 1 } }')
      .diagnostics[0]?.suggestions,
  ).toEqual([]);
});
