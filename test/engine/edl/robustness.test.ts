import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyChange, compile, explain, format, listDeclarations } from '../../../src/engine/edl/index.ts';
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

  test('format, explain, listDeclarations and applyChange answer too (seed 2)', () => {
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
            const result = applyChange(text, { op: 'add', target, edl }, host);
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
    ['half a surrogate pair', '\ud800', 'EDL102'],
    ['names of object properties', 'environment __proto__ extends constructor { }', 'EDL201'],
  ])('%s is one plain diagnostic', (_, text, code) => {
    const { diagnostics } = compile(text, host);
    expect(
      diagnostics
        .filter((diagnostic) => diagnostic.severity === 'error')
        .map((diagnostic) => diagnostic.code),
    ).toContain(code);
  });

  test('a text that exhausts the parser leaves it fit for the next one', () => {
    const deep = environmentOf(
      `reward r { give ${Array.from({ length: 650 }, (_, i) => `sum over v${i} in agent of `).join('')}1 to agent }`,
    );
    compile(deep, host);
    expect(compile(environmentOf('reward r { give 1 to agent }'), host).diagnostics).toEqual([]);
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
