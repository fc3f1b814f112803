import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyChanges,
  compile,
  explain,
  flatten,
  format,
  listDeclarations,
  type TextResult,
} from '../../../src/engine/edl/index.ts';
import type { Diagnostic } from '../../../src/shared/contract/edl.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { environmentOf } from '../../support/edl-text.ts';

const folder = new URL('../../../resources/environments/', import.meta.url);
const samples = readdirSync(folder).map((name) =>
  readFileSync(new URL(name, folder), 'utf8').replace(/simple_(spread|adversary)/, (_, name) =>
    name === 'spread' ? 'spread' : 'pursuit',
  ),
);
const host = testHost();
const words = samples.join(' ').match(/[A-Za-z_]+|[0-9.]+|[^\sA-Za-z0-9_]/g) ?? [];

/** A sample with some of its characters or words dropped, doubled, swapped or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 30 }),
        fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((so, [at, length, insert]) => {
      const from = at % (so.length + 1);
      return so.slice(0, from) + insert + so.slice(from + length);
    }, text),
  );

const soup = fc
  .array(fc.constantFrom(...words), { maxLength: 60 })
  .map((list) => `environment x extends spread { ${list.join(' ')} }`);

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), soup, mutated);

function diagnosticsOf(result: TextResult): Diagnostic[] {
  return 'text' in result ? [] : result.diagnostics;
}

function expectSound(text: string): void {
  const { diagnostics, environment } = compile(text, host);
  const lines = text.split(/\r\n?|\n/);
  for (const diagnostic of diagnostics) {
    expect(diagnostic.code, diagnostic.message).not.toBe('EDL199');
    expect(diagnostic.range.start.line).toBeLessThan(lines.length);
  }
  const hasErrors = diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  expect(environment === null).toBe(hasErrors);
}

describe('whatever the text', () => {
  test('compile answers with diagnostics or an environment (seed 1)', () => {
    fc.assert(fc.property(anyText, expectSound), { seed: 1, numRuns: 700 });
  });

  test('format, explain, listDeclarations and applyChanges answer too (seed 2)', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.oneof(anyText, fc.constantFrom('set agent.accel = 4', 'rule r { then agent.accel *= 2 }')),
        (text, edl) => {
          const formatted = format(text);
          if ('text' in formatted) expect(format(formatted.text)).toEqual(formatted);
          else expect(formatted.diagnostics.map((d) => d.code)).not.toContain('EDL199');
          explain(text, host);
          listDeclarations(text);
          for (const target of ['rule r', 'set agent.accel', edl]) {
            const result = applyChanges(text, [{ op: 'add', target, edl }], host);
            if ('refused' in result) expect(result.refused.code).not.toBe('EDL199');
            else expectSound(result.text);
          }
        },
      ),
      { seed: 2, numRuns: 250 },
    );
  });

  test.each([
    ['a text above the limit', 'x'.repeat(250_001), 'EDL101'],
    [
      'a declaration above the limit',
      environmentOf(`reward r { give 1 ${'+ 1 '.repeat(6000)} to agent }`),
      'EDL101',
    ],
    ['five thousand brackets', environmentOf(`reward r { give ${'('.repeat(5000)}1 to agent }`), 'EDL104'],
    [
      'six hundred nested aggregates',
      environmentOf(
        `reward r { give ${Array.from({ length: 600 }, (_, i) => `sum over v${i} in agent of `).join('')}1 to agent }`,
      ),
      'EDL104',
    ],
    [
      'six nested aggregates over eight agents',
      environmentOf(
        `set agent.count = 8 reward r { give ${[...'abcdef'].map((v) => `sum over ${v} in agent of `).join('')}1 to agent }`,
      ),
      'EDL504',
    ],
    ['nothing', '', 'EDL103'],
    ['white space and comments alone', '// nothing\n /* at all */ ', 'EDL103'],
    ['a NUL byte', environmentOf('set agent.accel \u0000 = 4'), 'EDL102'],
    ['a comment that never ends', environmentOf('/* set agent.accel = 4'), 'EDL103'],
    ['a string that never ends', environmentOf('mission "open'), 'EDL102'],
    ['a name in another script', environmentOf('reward 報酬 { give 1 to agent }'), 'EDL107'],
    ['a look-alike letter', environmentOf('rewаrd r { give 1 to agent }'), 'EDL107'],
    ['a number beyond all bounds', environmentOf('set agent.accel = 1e999'), 'EDL106'],
    ['a number of a thousand digits', environmentOf(`set agent.accel = ${'9'.repeat(1000)}`), 'EDL106'],
    [
      'evaluations without end',
      environmentOf('issue i { when coverage < 1 for 1e999 evaluations }'),
      'EDL505',
    ],
    [
      'a limit beyond all bounds',
      environmentOf('reward r { give 1 to agent limit 1e999% of nominal }'),
      'EDL505',
    ],
    [
      'a half-life without end',
      environmentOf('reward r { give 1 to agent decay half every 1e308 s }'),
      'EDL106',
    ],
    ['a capacity without end', environmentOf('capacity agent 1e999'), null],
    [
      'forty negations more than are read',
      environmentOf(`reward r { when ${'not '.repeat(5000)}time > 3 steps give 1 to agent }`),
      null,
    ],
    ['half a surrogate pair', '\ud800', 'EDL102'],
    ['names of object properties', 'environment __proto__ extends constructor { }', 'EDL201'],
  ])('%s is a plain diagnostic', (_, text, code) => {
    const errors = compile(text, host)
      .diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
      .map((diagnostic) => diagnostic.code);
    expect(errors).not.toContain('EDL199');
    if (code !== null) expect(errors).toContain(code);
  });

  test('a text of ten megabytes is refused at once, whatever is asked of it', () => {
    const huge = `environment x extends spread {\n${'  set agent.accel = 4\n'.repeat(500_000)}}\n`;
    expect(huge.length).toBeGreaterThan(10_000_000);
    const questions = [
      () => compile(huge, host).diagnostics,
      () => diagnosticsOf(format(huge)),
      () => diagnosticsOf(explain(huge, host)),
      () => diagnosticsOf(flatten(huge, host)),
      () => {
        const change = { op: 'remove', target: 'set agent.accel', edl: '' } as const;
        const result = applyChanges(huge, [change], host);
        return 'refused' in result ? [result.refused] : [];
      },
    ];
    for (const ask of questions) {
      let codes: string[] = [];
      const took = cpuMs(() => {
        codes = ask().map((diagnostic) => diagnostic.code);
      });
      expect(took).toBeLessThan(100);
      expect(codes.filter((code) => code !== 'EDL101' && code !== 'EDL605')).toEqual([]);
      expect(codes).toHaveLength(1);
    }
  });

  test.each([
    ['Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['old Macintosh line ends', (text: string) => text.replaceAll('\n', '\r')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['no line end at the end', (text: string) => text.trimEnd()],
    ['tabs and form feeds', (text: string) => text.replaceAll('  ', '\t\f')],
  ])('%s change nothing', (_, change) => {
    const plain = `// about it
environment x extends spread {
  set agent.accel = 4 /* over
  two lines */
  rule quick { for a in agent when time < 1 s then a.accel *= 1.3 }
}
`;
    const [before, after] = [compile(plain, host), compile(change(plain), host)];
    expect(before.environment?.identity).toMatch(/^[0-9a-f]{64}$/);
    expect(after.environment?.identity).toBe(before.environment?.identity);
  });

  test('a diagnostic counts lines as editors do, also where they end in a carriage return alone', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['environment x extends spread {', '  // one', '  rule größe { }', '}'].join(end);
      expect(compile(text, host).diagnostics.map(({ range }) => range.start)).toEqual([
        { line: 2, character: 7 },
      ]);
    }
  });

  test('a comment that never ends is called one', () => {
    const [found] = compile(environmentOf('/* set agent.accel = 4'), host).diagnostics;
    expect(found?.message).toBe('the comment has no closing */');
    expect(found?.range.start).toEqual({ line: 1, character: 0 });
  });

  test('the line of a file whose comment has no end on it does not swallow the rest', () => {
    const text = environmentOf('// a comment\r set agent.accel = 4');
    expect(compile(text, host).environment?.spec.parameters).toEqual({ 'agent.accel': 4 });
  });

  test('a text that exhausts the parser leaves it fit for the next one', () => {
    const deep = environmentOf(
      `reward r { give ${Array.from({ length: 650 }, (_, i) => `sum over v${i} in agent of `).join('')}1 to agent }`,
    );
    compile(deep, host);
    expect(compile(environmentOf('reward r { give 1 to agent }'), host).diagnostics).toEqual([]);
  });

  test.each(['or ', 'and ', '+ ', '* ', '< '])('six hundred stray %sare read within a second', (word) => {
    const text = environmentOf(`reward r { when 1 < ${word.repeat(600)} 2 give 1 to agent }`);
    compile(environmentOf(''), host);
    let codes: string[] = [];
    const took = cpuMs(() => {
      codes = compile(text, host).diagnostics.map((diagnostic) => diagnostic.code);
    });
    expect(took).toBeLessThan(1000);
    expect(codes).toEqual(['EDL103']);
  });

  test('a host that throws anything is a diagnostic', () => {
    const broken = {
      manifest: () => {
        throw new TypeError('boom');
      },
    };
    const { diagnostics, environment } = compile(environmentOf(''), broken);
    expect(diagnostics.map((d) => [d.code, d.message])).toEqual([['EDL201', 'boom']]);
    expect(environment).toBeNull();
  });
});
