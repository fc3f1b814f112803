import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { quickFixes } from '../../../src/engine/edl/assist/index.ts';
import { compile, type EdlHost } from '../../../src/engine/edl/index.ts';
import { diagnosticExamples, type TextExample } from '../../../tools/edl-diagnostic-examples.ts';
import { arenaHost } from '../../support/edl-arena.ts';
import { withEdits } from '../../support/edl-cursor.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { simHost } from '../../support/sim-host.ts';

const host: EdlHost = {
  ...simHost(),
  manifest: (name, parameters) =>
    simHost().manifest(name, parameters) ??
    testHost().manifest(name, parameters) ??
    arenaHost().manifest(name, parameters),
};

/**
 * Applies every suggestion to a text by itself; those after which their diagnostic is still there, or an error that matters
 * came up.
 */
function useless(text: string, over: EdlHost, matters: (code: string) => boolean = () => true): string[] {
  const { diagnostics } = compile(text, over, 'example.edl');
  const before = diagnostics.map(({ code }) => code);
  return diagnostics.flatMap((diagnostic) => {
    const fixes = quickFixes([diagnostic], diagnostic.range);
    return fixes.flatMap((fix) => {
      const after = compile(withEdits(text, fix.edits), over, 'example.edl').diagnostics;
      const count = (codes: readonly string[]) => codes.filter((code) => code === diagnostic.code).length;
      const isGone =
        count(after.map(({ code }) => code)) < count(before) &&
        after.every(({ code, severity }) => severity !== 'error' || before.includes(code) || !matters(code));
      return isGone
        ? []
        : [
            `${diagnostic.code} ${fix.edits[0]?.text}: ${after.map(({ code, message }) => `${code} ${message}`)}`,
          ];
    });
  });
}

const examples = Object.entries(diagnosticExamples).filter(
  (entry): entry is [string, TextExample] => entry[1].kind === 'text',
);

const folder = new URL('../../../resources/environments/', import.meta.url);
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.edl'))
  .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);

/** The text with one mistake each: a unit gone, a letter gone, a fraction where a whole number belongs. */
function* mistakes(text: string): Generator<string> {
  let count = 0;
  const bare = text.replaceAll(/\/\/[^\n]*|"[^"\n]*"/g, (prose) => ' '.repeat(prose.length));
  for (const { 0: part, index } of bare.matchAll(/\d[\d.]*(?: (?:m|s|steps|m\/s)\b)?|[a-z_]{4,}/g)) {
    if (count++ % 7 > 0) continue;
    const wrong = /^\d/.test(part) ? (part.split(' ')[0] ?? '') : part.slice(0, 2) + part.slice(3);
    yield text.slice(0, index) + (wrong === part ? `${part}.5` : wrong) + text.slice(index + part.length);
  }
}

/** What is suggested for one mistake may bring to light what else the text gets wrong then, but it has to be read. */
const isSyntax = (code: string): boolean => code.startsWith('EDL1');

describe('what a diagnostic suggests', () => {
  test.each(examples)('mends the example of %s', (_, example) => {
    const text =
      example.scenario === null
        ? example.wrong
        : `environment example extends ${example.scenario} {\n${example.wrong}\n}\n`;
    const files: Readonly<Record<string, string>> = example.files;
    const over: EdlHost = {
      ...host,
      text: (path) => (files[path] === undefined ? null : { path, text: files[path] }),
    };
    expect(useless(text, over)).toEqual([]);
  });

  test.each([
    'rule r { for a in agent when a.x > 3 + 1 then a.accel *= 2 }',
    'rule r { for a in agent when a.x > -3 then a.accel *= 2 }',
    'rule r { for a in agent when distance(a, nearest(landmark)) < 0.5 * (1 + 1) then a.accel *= 2 }',
    'rule r { for a in agent when distance(a, nearest(landmark)) + 2 < 1 m then a.accel *= 2 }',
    'issue i { for a in agent when a.mean_distance > 0.5 m }',
    'issue i { for a in agent when agent.mean_distance > 0.5 m for 2 evaluations }',
    'event e { every 2.5 steps spawn landmark }',
    'event e { at step 2.5 spawn landmark }',
    'event e { at 0.05 s spawn landmark }',
    'regime a default regime b { set agent.accel = 3 ramp 2.5 steps } schedule { every 9 steps enter b }',
    'regime a default regime b { set agent.accel = 3 } schedule { every 9 steps enter b leave after 1.5..2.5 steps }',
    'regime a default regime b { set agent.accel = 3 } schedule { every 9 steps enter b leave after 0.04..1.03 s }',
    'reward g { for a in agent give 1 to a decay half every 0.5 steps }',
    'rule r { for a in agent when time > 3 then a.accel *= 2 }',
    'set agent.acel = 3',
    'set agent.accel = 3 m',
    'set agent.count = 2.5',
    'metric m1 { mean over a in agent of a.x }',
    'rule r { for a in agents then a.accel *= 2 }',
  ])('mends %s', (declarations) => {
    expect(useless(`environment e extends simple_spread { ${declarations} }`, host)).toEqual([]);
  });

  test('was tried on many planted mistakes', () => {
    const planted = samples.flatMap(([, text]) => [...mistakes(text)]);
    expect(planted.length).toBeGreaterThan(150);
  });

  test.each(samples)('mends what was planted in %s', (_, text) => {
    const planted = [...mistakes(text)];
    const told = planted.filter((wrong) => compile(wrong, host, 'example.edl').diagnostics.length > 0);
    expect(told.flatMap((wrong) => useless(wrong, host, isSyntax))).toEqual([]);
  });
});
