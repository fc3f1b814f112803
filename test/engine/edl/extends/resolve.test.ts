import { describe, expect, test } from 'vitest';
import { compile, explain } from '../../../../src/engine/edl/index.ts';
import { hostWithFiles } from '../../../support/edl-files.ts';
import { pointedAt } from '../../../support/edl-text.ts';

const base = `environment base extends spread {
  mission "from the base"
  set agent.accel = 4
  rule quick { for a in agent when time < 10 steps then a.accel *= 1.5 }
  reward near "close by" { for a in agent give 0.1 to a }
  stage one { set agent.accel = 2 until coverage > 50% }
  stage two { set agent.accel = 3 }
}
`;
const files = { '/world/base.edl': base };

function errorsOf(text: string, given: Record<string, string> = files) {
  const { diagnostics, environment } = compile(text, hostWithFiles(given), '/world/child.edl');
  expect(environment).toBeNull();
  return diagnostics.map((diagnostic) => ({ ...diagnostic, at: pointedAt(text, diagnostic) }));
}

function compiled(declarations: string, given: Record<string, string> = files) {
  const text = `environment child extends "base.edl" {\n${declarations}\n}\n`;
  const { diagnostics, environment } = compile(text, hostWithFiles(given), '/world/child.edl');
  if (environment === null) throw new Error(JSON.stringify(diagnostics));
  return environment;
}

describe('resolveExtends', () => {
  test('takes over what the base declares', () => {
    const environment = compiled('');
    const alone = compile(base, hostWithFiles({})).environment;
    expect(environment.identity).toBe(alone?.identity);
    expect(environment.mission).toBe('from the base');
    expect(environment.name).toBe('child');
  });

  test('overrides by kind and name, whatever the base declares there', () => {
    const { ir, mission } = compiled('mission "own" set agent.accel = 6 reward near { give 1 to agent }');
    expect(mission).toBe('own');
    expect(ir.parameters).toEqual({ 'agent.accel': 6 });
    expect(ir.rewards).toHaveLength(1);
    expect(ir.rewards[0]?.loops).toEqual([]);
    expect(ir.rules).toHaveLength(1);
  });

  test('drops what `without` names', () => {
    const { ir } = compiled('without rule quick without set agent.accel without mission');
    expect(ir.rules).toEqual([]);
    expect(ir.parameters).toEqual({});
  });

  test('keeps the place of a stage that it overrides, and puts new ones last', () => {
    const { stages } = compiled(
      'stage one { set agent.accel = 7 until coverage > 60% } without stage two stage last { set agent.accel = 1 }',
    );
    expect(stages.map((stage) => [stage.name, stage.spec.parameters])).toEqual([
      ['one', { 'agent.accel': 7 }],
      ['last', { 'agent.accel': 1 }],
    ]);
  });

  test('goes through several files, each seen from its own folder', () => {
    const chain = {
      '/world/base.edl': 'environment b extends "deep/middle.edl" { rule quick { then agent.accel *= 3 } }',
      '/world/deep/middle.edl': 'environment m extends "../root.edl" { without reward near }',
      '/world/root.edl': base,
    };
    const { ir } = compiled('', chain);
    expect(ir.rewards).toEqual([]);
    expect(ir.rules[0]?.loops).toEqual([]);
  });

  test('explain names the file that a declaration comes from', () => {
    const text = 'environment child extends "base.edl" { without rule quick reward far { give 1 to agent } }';
    const result = explain(text, hostWithFiles(files), '/world/child.edl');
    const words = 'text' in result ? result.text : '';
    expect(words).toContain('child extends base.edl and is spread');
    expect(words).toContain('reward near: close by (from base.edl)');
    expect(words).toMatch(/^reward far$/m);
    expect(words).toContain('without rule quick');
  });

  test.each([
    [
      'a missing file',
      '"other.edl"',
      {},
      'EDL221',
      "there is no file 'other.edl' seen from /world/child.edl",
    ],
    [
      'a circle',
      '"a.edl"',
      {
        '/world/a.edl': 'environment a extends "b.edl" { }',
        '/world/b.edl': 'environment b extends "a.edl" { }',
      },
      'EDL222',
      'a.edl extends b.edl extends a.edl',
    ],
    [
      'itself',
      '"child.edl"',
      { '/world/child.edl': 'environment a extends "child.edl" { }' },
      'EDL222',
      'child.edl extends child.edl',
    ],
    [
      'a file that does not parse',
      '"bad.edl"',
      { '/world/bad.edl': 'environment a extends spread {\n  rule x {\n}' },
      'EDL224',
      'bad.edl:3:1: found',
    ],
    [
      'a file with an error',
      '"bad.edl"',
      { '/world/bad.edl': 'environment a extends spread {\n  rule x { then agent.acel *= 2 }\n}' },
      'EDL224',
      "bad.edl:2:23: unknown attribute of an agent 'acel'",
    ],
    [
      'a file that extends an unknown scenario',
      '"bad.edl"',
      { '/world/bad.edl': 'environment a extends sprad { }' },
      'EDL201',
      "did you mean 'spread'?",
    ],
  ])('%s is one diagnostic on the extends clause', (_, name, given, code, message) => {
    const errors = errorsOf(`// a child\nenvironment child extends ${name} { }\n`, given);
    expect(errors.map(({ code, at }) => [code, at])).toEqual([[code, name]]);
    expect(errors[0]?.message).toContain(message);
  });

  test('a chain of nine files is one too many', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [
        `/world/f${i}.edl`,
        `environment f extends ${i === 8 ? 'spread' : `"f${i + 1}.edl"`} { }`,
      ]),
    );
    expect(errorsOf('environment x extends "f0.edl" { }', chain).map((error) => error.code)).toEqual([
      'EDL223',
    ]);
    expect(
      compile('environment x extends "f2.edl" { }', hostWithFiles(chain), '/world/x.edl').diagnostics,
    ).toEqual([]);
  });

  test('an error that the text causes in a base declaration names the file', () => {
    const [error] = errorsOf('environment child extends "base.edl" { reward quick { give 1 to agent } }');
    expect(error).toMatchObject({ code: 'EDL209', at: 'quick' });
  });

  test('a warning of the base is left to a check of the base', () => {
    const given = {
      '/world/base.edl': 'environment a extends spread { rule x { for a in agent then agent.accel *= 2 } }',
    };
    const host = hostWithFiles(given);
    expect(compile('environment x extends "base.edl" { }', host, '/world/x.edl').diagnostics).toEqual([]);
    expect(compile(given['/world/base.edl'], host).diagnostics.map((d) => d.code)).toEqual(['EDL213']);
  });

  test('`without` that drops nothing offers what is there', () => {
    const [error] = errorsOf('environment child extends "base.edl" { without rule quik }');
    expect(error).toMatchObject({ code: 'EDL225', suggestions: ['without rule quick'] });
    const [useless] = errorsOf('environment child extends spread { without rule quick }');
    expect(useless).toMatchObject({ code: 'EDL225', at: 'without rule quick' });
  });

  test('a host without files says so, and one that throws is quoted', () => {
    const text = 'environment child extends "base.edl" { }';
    const { text: _, ...plain } = hostWithFiles({});
    expect(compile(text, plain).diagnostics[0]?.message).toContain('only scenarios');
    const broken = {
      ...plain,
      text: () => {
        throw new Error('no permission');
      },
    };
    expect(compile(text, broken).diagnostics.map((d) => [d.code, d.message])).toEqual([
      ['EDL221', "'base.edl' cannot be read: no permission"],
    ]);
  });
});

describe('the name of an extended file', () => {
  const refusalOf = (name: string) => {
    const text = `environment child extends "${name}" { }`;
    const [first] = errorsOf(text, { ...files, '/etc/passwd': 'root:x:0:0', '/etc/odd.edl/x': '' });
    return { text, first };
  };

  test.each(['../../../etc/passwd', '/etc/passwd', '.edl', 'x/.edl', 'base.edl/'])(
    '%s is never opened',
    (name) => {
      const opened: string[] = [];
      const host = {
        ...hostWithFiles(files),
        text: (path: string) => {
          opened.push(path);
          return null;
        },
      };
      const { diagnostics } = compile(`environment child extends "${name}" { }`, host, '/world/child.edl');
      expect(diagnostics).toEqual([
        expect.objectContaining({
          code: 'EDL221',
          message: expect.stringContaining('name a file ending in .edl'),
        }),
      ]);
      expect(opened.filter((path) => !path.endsWith('.edl') || path === name)).toEqual([]);
    },
  );

  test.each([
    ['base', '"base.edl"', 'did you mean "base.edl"'],
    ['spread', 'spread', 'did you mean spread'],
  ])('%s is mended to what is there', (name, mended, words) => {
    const { text, first } = refusalOf(name);
    expect(first).toMatchObject({
      code: 'EDL221',
      suggestions: [mended],
      message: expect.stringContaining(words),
    });
    const whole = text.replace(first?.at ?? 'nothing', mended);
    expect(compile(whole, hostWithFiles(files), '/world/child.edl').diagnostics).toEqual([]);
  });

  test('an empty one says what belongs there', () => {
    expect(refusalOf('').first?.message).toBe(
      "'extends' names no file; name a file ending in .edl, or a scenario without quotes",
    );
  });
});
