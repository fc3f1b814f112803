import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/edl/compile.ts';
import { LineIndex } from '../../../src/engine/edl/line-index.ts';
import { parseText } from '../../../src/engine/edl/parse.ts';
import { scenarioHost } from '../../../src/engine/language/scenario-host.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function whole(body: string): string {
  return `environment e extends simple_spread {\n${body}\n}\n`;
}

/** The text with what its first diagnostic suggests. */
function mended(text: string): string {
  const [problem] = parseText(text).diagnostics;
  const [suggestion] = problem?.suggestions ?? [];
  if (problem === undefined || suggestion === undefined) return text;
  const lines = new LineIndex(text);
  const offset = ({ line, character }: { line: number; character: number }): number =>
    lines.range(0, 0).start.line === line
      ? character
      : text.split('\n').slice(0, line).join('\n').length + 1 + character;
  return text.slice(0, offset(problem.range.start)) + suggestion + text.slice(offset(problem.range.end));
}

describe('slips', () => {
  test.each([
    ['reward r { for a in agent when a.x > 0 m && a.y > 0 m give 1 to a }', "write 'and' for '&&'"],
    ['reward r { for a in agent when a.x > 0 m||a.y > 0 m give 1 to a }', "write 'or' for '||'"],
    ['reward r { for a in agent when !(a.x > 0 m) give 1 to a }', "write 'not' for '!'"],
    ['reward r { for a in agent when a.x ≤ 0 m give 1 to a }', "write '<=' for '≤'"],
    ['reward r { for a in agent when a.x ≥ 0 m give 1 to a }', "write '>=' for '≥'"],
    ['reward r { for a in agent when a.x ≠ 0 m give 1 to a }', "write '!=' for '≠'"],
    ['reward r “near” { give 1 to agent }', 'straight quotes'],
    ["mission 'near'", 'straight quotes'],
    ['set agent.accel = 4;', "no ';' is needed"],
    ['reward r { # why\n give 1 to agent }', "write '//' for '#'"],
    ['reward r { for a in agent when a.x = 0 m give 1 to a }', "conditions compare with '=='"],
    ['rule r { then agent.accel == 4 }', "write '=' to set a value"],
    ['reward r { for a in agent when 0 m < a.x < 1 m give 1 to a }', "join two with 'and'"],
    ['reward r { for a in agent if a.x < 1 m give 1 to a }', "begin with 'when'"],
    ['event e { every 5 steps if time > 1 s disturb push agent_0 }', "begin with 'when'"],
    ['reward r { for a in agent when a.x < 1 m then 1 to a }', "write 'give'"],
    ['rule r { when time > 1 s give agent.accel = 1 }', "a rule changes attributes with 'then'"],
    ['rule r { then agent.accel -= 1 m/s^2 }', "there is no '-='"],
    ['rule r { then agent.accel /= 2 }', "there is no '/='"],
    ['rule r { when time > 1 s, then agent.accel *= 1.5 }', 'without commas'],
    ['set agent.accel = 4,5', 'decimals are written with a point'],
    ['reward r { for a in agent give -distance(a, landmark[0]) to a }', 'members have names: landmark_0'],
    ['rewrd r { give 1 to agent }', "did you mean 'reward'?"],
    ['reward r { give 1 to agent limit 10% }', "write 'limit 10% of nominal'"],
    ['reward r { give 1 to agent limit 10 }', "write 'limit 10% of nominal'"],
    ['reward r { give 1 to agent limit 10 potential }', "write 'limit 10% of nominal'"],
    ['constraint c { never time > 1 s penalty 1 limit 5 % }', "write 'limit 5% of nominal'"],
    [
      'rule r { then agent.accel *= 1.5\nreward near { give 1 to agent }',
      "rule 'r' has no closing '}' before 'reward'",
    ],
  ])('%s', (body, message) => {
    const text = whole(body);
    const found = parseText(text).diagnostics;
    expect(found.map((problem) => problem.message).join('; ')).toContain(message);
    expect(found).toHaveLength(1);
    expect(parseText(mended(text)).diagnostics, mended(text)).toEqual([]);
  });

  test("names have no '-'", () => {
    const text = whole('reward my-own-reward { give 1 to agent }');
    expect(parseText(text).diagnostics[0]?.message).toContain("names have no '-'");
    expect(parseText(mended(text)).diagnostics).toEqual([]);
    expect(parseText(mended('environment e extends simple-spread {}')).diagnostics).toEqual([]);
  });

  test.each([
    ['reward r { for a in agent give a.x ^ 2 to a }', "there is no '^'"],
    ['reward r { for a in agent { give 1 to a } }', 'a loop has no braces of its own'],
    ['npc n { control agent when time > 1 s hold otherwise wander }', 'what is done comes first'],
  ])('%s', (body, message) => {
    expect(parseText(whole(body)).diagnostics[0]?.message).toContain(message);
  });

  test.each([
    ['rule r { for a in agent then accel *= 2 }', "say whose, as in 'a.accel'"],
    ['reward r { for a in agent when speed(a) > 1 m/s give 1 to a }', "unknown function 'speed'"],
    ['reward r { for a in agent when accel(a) > 1 m/s^2 give 1 to a }', "say whose, as in 'a.accel'"],
    ['reward r { for a in agent when touches(agent_0) give 1 to a }', "say of whom, as in 'a.touches(…)'"],
    ['metric m { coverage }', 'only issues and stages read metrics'],
    ['reward r { when mean_distance(agent) > 1 m give 1 to agent }', 'write it without brackets'],
    ['issue i { when distance(agent_0, agent_1) > 1 m }', 'declare a metric with distance(…)'],
    ['issue i { when agent_0.touches(agent_1) }', 'declare a metric with touches(…)'],
    ['issue i { when agent_0.coverage > 1 }', "write 'coverage' alone"],
  ])('what is read in the wrong place: %s', (body, message) => {
    const { diagnostics } = compile(whole(body), scenarioHost);
    expect(diagnostics.map((problem) => problem.message)).toEqual([expect.stringContaining(message)]);
  });

  test('what is not certain is told without a fix', () => {
    for (const body of [
      'rule r { then agent.accel -= 1 + 2 }',
      'rule r { then agent.accel /= (1 + 2) }',
      'rule r { when time > 1 s give 1 to agent }',
      'mission “near',
    ]) {
      const [first] = parseText(whole(body)).diagnostics;
      expect(first?.suggestions, body).toEqual([]);
    }
  });
});

describe('a missing brace', () => {
  test.each([
    [
      '// a rule }\nrule tiring "{" { then agent.accel *= 1.5\n\nmission "x"',
      "rule 'tiring' has no closing '}'",
    ],
    ['set agent.accel = 4 schedule { start calm\nregime calm default', "schedule has no closing '}'"],
    ['reward near {\n  for a in agent\nrule r { then agent.accel *= 1.5 }', "reward 'near' is not complete"],
  ])('%s', (body, message) => {
    const [first] = parseText(whole(body)).diagnostics;
    expect(first?.message).toContain(message);
    expect(first?.range.end.line).toBeLessThan(whole(body).split('\n').length - 3);
  });

  test('of the environment is told as such', () => {
    const [first, ...more] = parseText(
      'environment e extends x {\n reward r { give 1 to agent }\n',
    ).diagnostics;
    expect(first?.message).toBe("environment 'e' has no closing '}'");
    expect(more).toEqual([]);
  });
});

describe('many problems', () => {
  const times = (count: number, line: (i: number) => string): string =>
    whole(Array.from({ length: count }, (_, i) => line(i)).join('\n'));

  test('the last diagnostic says that there are more', () => {
    const syntax = parseText(times(30, (i) => `reward r${i} { give 1 agent }`)).diagnostics;
    expect(syntax).toHaveLength(20);
    expect(syntax.at(-1)?.message).toMatch(/what follows is not told/);
    const { diagnostics } = compile(
      times(150, () => 'set agent.accel = 4'),
      scenarioHost,
    );
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.at(-1)?.message).toMatch(/\(49 more are not told\)/);
    expect(
      compile(
        times(3, () => 'set agent.accel = 4'),
        scenarioHost,
      ).diagnostics.at(-1)?.message,
    ).not.toMatch(/more/);
  });

  test('an error is told, whatever warnings came before it', () => {
    const warnings = times(150, (i) => `rule r${i} { then agent.accel *= 1 }`);
    const { diagnostics } = compile(`${warnings.trimEnd().slice(0, -1)}set agent.acel = 4 }`, scenarioHost);
    expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'EDL203',
    ]);
  });

  test.each([
    ['syntax', (i: number) => `reward r${i} { give 1 agent }`],
    ['characters', (i: number) => `reward r${i} { give § to agent }`],
    ['the same name', () => 'reward r { give 1 to agent }'],
    ['settings', () => 'set agent.accel = 4'],
  ])('take time in proportion: %s', (_, line) => {
    const cost = (count: number): number => {
      const text = times(count, line);
      return Math.min(...[1, 2, 3].map(() => cpuMs(() => void compile(text, scenarioHost))));
    };
    cost(200);
    expect(cost(4000) / (cost(1000) + 5)).toBeLessThan(9);
  });
});
