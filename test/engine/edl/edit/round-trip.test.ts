import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../../src/engine/edl/compile.ts';
import { applyChanges } from '../../../../src/engine/edl/edit/apply-changes.ts';
import { listDeclarations } from '../../../../src/engine/edl/edit/list-declarations.ts';
import { format } from '../../../../src/engine/edl/format/format.ts';
import {
  declarationGrammar,
  declarationListGrammar,
  walkGrammar,
} from '../../../../src/engine/edl/gbnf/index.ts';
import { parseText } from '../../../../src/engine/edl/parse.ts';
import type { EdlChange } from '../../../../src/engine/edl/types.ts';
import { applyTextEdits } from '../../../support/apply-text-edits.ts';
import { Draw } from '../../../support/edl-generator/draw.ts';
import { simHost } from '../../../support/sim-host.ts';

const folder = new URL('../../../../resources/environments/', import.meta.url);
const host = {
  ...simHost(),
  text: (name: string) => ({ path: name, text: readFileSync(new URL(name, folder), 'utf8') }),
};
const samples = readdirSync(folder).map(
  (name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const,
);

/** A syntax tree without its places in the text and its links to parents. */
function treeOf(text: string): unknown {
  const { ast, diagnostics } = parseText(text);
  expect(diagnostics, text).toEqual([]);
  return JSON.parse(
    JSON.stringify(ast, (key, value) => (key.startsWith('$') && key !== '$type' ? undefined : value)),
  );
}

function formatted(text: string): string {
  const result = format(text);
  if (!('text' in result)) throw new Error(JSON.stringify(result.diagnostics));
  return result.text;
}

/** Random layout: every gap between tokens another one, with comments here and there. */
function disturbed(text: string, draw: Draw): string {
  const gaps = [' ', '\n', '  \n\t', ' /* c */ ', ' // c\n', '\n\n\n'];
  return text.replace(/"[^"\n]*"|[ \n]+/g, (part) => (part.startsWith('"') ? part : draw.pick(gaps)));
}

/** Environments of some random declarations each. */
function* randomTexts(count: number, seed: number): Generator<string> {
  const draw = new Draw(seed);
  for (const scenario of host.scenarioNames?.() ?? []) {
    const manifest = host.manifest(scenario, {});
    if (manifest === null) continue;
    const grammar = declarationListGrammar({ manifest }, 4);
    for (let i = 0; i < count; i++)
      yield `environment x extends ${scenario} {\n${walkGrammar(grammar, () => draw.next())}\n}\n`;
  }
}

describe('a text that is formatted', () => {
  test.each(samples)('%s reads as before, and formatting it again changes nothing', (_, text) => {
    expect(treeOf(formatted(text))).toEqual(treeOf(text));
    expect(formatted(formatted(text))).toBe(formatted(text));
  });

  test('random texts in random layout read as before (seed 31)', () => {
    const draw = new Draw(31);
    for (const text of randomTexts(20, 31)) {
      const odd = disturbed(text, draw);
      const tree = treeOf(text);
      expect(treeOf(odd)).toEqual(tree);
      expect(treeOf(formatted(odd))).toEqual(tree);
      expect(formatted(formatted(odd))).toBe(formatted(odd));
    }
  });
});

describe('a text that is changed', () => {
  test.each(samples)('%s: every declaration can be replaced by itself with no edit at all', (_, text) => {
    const { environment } = compile(text, host);
    for (const { target, text: edl } of environment?.declarations ?? []) {
      const result = applyChanges(text, [{ op: 'modify', target, edl }], host);
      if ('refused' in result) throw new Error(`${target}: ${result.refused.message}`);
      expect(result.edits, target).toEqual([]);
      expect(result.environment.identity).toBe(environment?.identity);
    }
  });

  test.each(samples)('%s: what is removed and added again means the same', (_, text) => {
    const before = compile(text, host).environment;
    for (const { kind, target, text: edl } of before?.declarations ?? []) {
      const removed = applyChanges(text, [{ op: 'remove', target, edl: '' }], host);
      // The order of stages means something, and some declarations are needed by others.
      if ('refused' in removed || kind === 'stage') continue;
      expect(applyTextEdits(text, removed.edits)).toBe(removed.text);
      expect(removed.edits.length, target).toBe(1);
      const back = applyChanges(removed.text, [{ op: 'add', target, edl }], host);
      if ('refused' in back) throw new Error(`${target}: ${back.refused.message}`);
      expect(back.environment.identity, target).toBe(before?.identity);
      expect(
        listDeclarations(back.text)
          .map((each) => each.target)
          .sort(),
      ).toEqual(before?.declarations.map((each) => each.target).sort());
    }
  });

  test('a changed declaration means what it means when it is put in plainly, whatever the layout (seed 34)', () => {
    const draw = new Draw(34);
    let numChanged = 0;
    for (const scenario of host.scenarioNames?.() ?? []) {
      const manifest = host.manifest(scenario, {});
      if (manifest === null) continue;
      for (const kind of ['rule', 'reward', 'constraint', 'event', 'npc', 'metric'] as const) {
        const grammar = declarationGrammar({ manifest, kinds: [kind], names: ['some'] });
        if (grammar.root.kind === 'never') continue;
        for (let i = 0; i < 6; i++) {
          const [old, fresh] = [0, 1].map(() => walkGrammar(grammar, () => draw.next()));
          const textWith = (edl = ''): string => `environment x extends ${scenario} {\n${edl}\n}\n`;
          const plain = compile(textWith(fresh), host).environment;
          const before = i % 2 === 0 ? textWith(old) : disturbed(textWith(old), draw);
          if (plain === null) continue;
          const change = { op: 'modify', target: `${kind} some`, edl: fresh ?? '' } as const;
          const result = applyChanges(before, [change], host);
          if ('refused' in result) throw new Error(`${result.refused.message}\n${before}\n${fresh}`);
          expect(result.environment.identity, `${before}\n${fresh}`).toBe(plain.identity);
          numChanged++;
        }
      }
    }
    expect(numChanged).toBeGreaterThan(100);
  });

  test('random changes of every kind keep every other byte, comments included (seed 32)', () => {
    const draw = new Draw(32);
    const kinds = new Set<string>();
    for (const text of randomTexts(8, 33)) {
      const odd = disturbed(text, draw);
      const scenario = /extends\s+(\w+)/.exec(text)?.[1] ?? '';
      const declarations = listDeclarations(odd);
      const manifest = host.manifest(scenario, {});
      if (manifest === null) continue;
      for (const { kind, name, target, range } of declarations) {
        const fresh = walkGrammar(declarationGrammar({ manifest, kinds: [kind], names: [name] }), () =>
          draw.next(),
        );
        const change: EdlChange =
          kind === 'set' || kind === 'capacity'
            ? { op: 'remove', target, edl: '' }
            : { op: 'modify', target, edl: fresh };
        const result = applyChanges(odd, [change], host);
        if ('refused' in result) continue;
        kinds.add(kind);
        expect(applyTextEdits(odd, result.edits)).toBe(result.text);
        const lines = odd.split('\n');
        const [edit] = result.edits;
        if (edit === undefined) continue;
        const first = odd.slice(0, edit.start).split('\n').length - 1;
        expect(first).toBeGreaterThanOrEqual(range.start.line - 1);
        expect(first).toBeLessThanOrEqual(range.end.line);
        const comments = (from: string): number => from.match(/\/\* c \*\/|\/\/ c/g)?.length ?? 0;
        if (change.op === 'modify') expect(comments(result.text), `${lines[first]}`).toBe(comments(odd));
        const now = listDeclarations(result.text);
        for (const other of declarations) {
          if (other.target !== target)
            expect(now.find((each) => each.target === other.target)?.text).toBe(other.text);
        }
      }
    }
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        'constraint',
        'event',
        'issue',
        'metric',
        'npc',
        'regime',
        'reward',
        'rule',
        'set',
        'stage',
      ]),
    );
  });
});
