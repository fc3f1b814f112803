import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkDocument,
  compile,
  IncrementalParser,
  maxTextLength,
} from '../../../../src/engine/edl/index.ts';
import type { Diagnostic } from '../../../../src/shared/contract/edl.ts';
import { testHost } from '../../../support/edl-manifests.ts';
import { environmentOf } from '../../../support/edl-text.ts';

const host = testHost();
const rule = (i: number, attribute = 'accel') =>
  `  // number ${i}\n  rule r${i} "Faster" {\n    for a in agent\n    when time < ${i + 1} s\n    then a.${attribute} *= 1.5\n  }\n`;
const many = (count: number) => environmentOf(Array.from({ length: count }, (_, i) => rule(i)).join('\n'));

function check(parser: IncrementalParser, text: string): Diagnostic[] {
  return checkDocument(parser, text, { host, path: '/a.edl', checkpoint: () => undefined }).diagnostics;
}

const folder = new URL('../../../../resources/environments/', import.meta.url);
const samples = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .filter((text) => text.includes('extends simple_spread'))
  .map((text) => text.replace('simple_spread', 'spread'));

describe('IncrementalParser', () => {
  test('parses what changed and nothing else', () => {
    const parser = new IncrementalParser();
    const text = many(40);
    parser.parse(text);
    expect(parser.numParsed).toBe(40);
    parser.parse(text.replace('time < 20 s', 'time < 20.5 s'));
    expect(parser.numParsed).toBe(1);
    parser.parse(`// a line above\n${text}`);
    expect(parser.numParsed).toBe(1);
    parser.parse(`// a line above\n${text}`);
    expect(parser.numParsed).toBe(0);
  });

  test('parses a declaration that was added, none that was moved or removed', () => {
    const parser = new IncrementalParser();
    parser.parse(environmentOf([rule(1), rule(2), rule(3)].join('\n')));
    parser.parse(environmentOf([rule(3), rule(1), rule(2), rule(4)].join('\n')));
    expect(parser.numParsed).toBe(1);
    parser.parse(environmentOf([rule(4), rule(2)].join('\n')));
    expect(parser.numParsed).toBe(0);
  });

  test('reports where a declaration stands now, however far it moved', () => {
    const parser = new IncrementalParser();
    const wrong = rule(7, 'acel');
    for (const before of ['', rule(1), `\n\n\n${rule(1)}${rule(2)}`, 'set agent.accel = 3 m/s^2 ']) {
      const text = environmentOf(before + wrong);
      expect(check(parser, text)).toEqual(compile(text, host).diagnostics);
    }
  });

  test('two declarations alike stand in two places', () => {
    const text = environmentOf(rule(1) + rule(1));
    expect(check(new IncrementalParser(), text)).toEqual(compile(text, host).diagnostics);
    expect(compile(text, host).diagnostics).toHaveLength(1);
  });

  test('an error of syntax in one declaration costs that declaration alone', () => {
    const parser = new IncrementalParser();
    const text = many(20);
    parser.parse(text);
    const broken = text.replace('when time < 6 s', 'when time <');
    expect(parser.parse(broken).diagnostics).toEqual(compile(broken, host).diagnostics);
    expect(parser.numParsed).toBe(1);
  });

  test('an error of syntax is told in the same words wherever it stands', () => {
    const text = environmentOf(`\n\n${rule(1)}  reward near {\n give 1 to agent\n set agent.accel = 3\n}\n`);
    const { diagnostics } = compile(text, host);
    expect(diagnostics[0]?.message).toContain("reward 'near' has no closing '}' before 'set'");
    expect(check(new IncrementalParser(), text)).toEqual(diagnostics);
  });

  test.each([
    ['a brace too few', (text: string) => text.replace('}', '')],
    ['a brace too many', (text: string) => `${text}}`],
    ['an open comment', (text: string) => text.replace('// number 3', '/* number 3')],
    ['no header', (text: string) => text.slice(text.indexOf('{') + 1)],
    ['nothing', () => ''],
  ])('a text with %s is parsed as a whole, to the same end', (_, change) => {
    const text = change(many(5));
    expect(check(new IncrementalParser(), text)).toEqual(compile(text, host).diagnostics);
  });

  test('names that are words of the language begin no declaration', () => {
    const text = environmentOf('  reward\n  rule\n  { give 1 to agent }\n  set agent.accel\n  = 3 m/s^2\n');
    expect(check(new IncrementalParser(), text)).toEqual(compile(text, host).diagnostics);
  });

  test('finds what the whole text has, over any chain of edits (seeded)', () => {
    const edit = fc.tuple(
      fc.nat(),
      fc.nat({ max: 12 }),
      fc.constantFrom('', ' ', '\n', '{', '}', 'a', '3', 'rule x { then agent.accel *= 2 }', '"', '/*'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(edit, { maxLength: 6 }), (sample, edits) => {
        const parser = new IncrementalParser();
        let text = sample;
        for (const [at, length, insert] of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + insert + text.slice(from + length);
          const found = check(parser, text);
          const whole = compile(text, host).diagnostics;
          const isSyntax = whole.some(({ code }) => code < 'EDL2');
          // Recovery differs once something does not parse; that something does not, and where it begins, does not.
          if (isSyntax) expect(found.some(({ code }) => code < 'EDL2')).toBe(true);
          else expect(found).toEqual(whole);
        }
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test('gives up between pieces when told to, and keeps what it has', () => {
    const parser = new IncrementalParser();
    const text = many(30);
    let calls = 0;
    expect(() =>
      parser.parse(text, () => {
        calls++;
        if (calls === 10) throw new RangeError('stop');
      }),
    ).toThrow('stop');
    parser.parse(text);
    expect(parser.numParsed).toBe(21);
  });

  test('a text of ten megabytes is refused without being read', () => {
    const parser = new IncrementalParser();
    const { diagnostics } = parser.parse('x'.repeat(10_000_000));
    expect(diagnostics).toMatchObject([{ code: 'EDL101' }]);
    expect(diagnostics[0]?.message).toContain(String(maxTextLength));
    expect(parser.numParsed).toBe(0);
  });
});
