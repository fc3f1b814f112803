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
