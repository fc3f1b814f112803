import { describe, expect, test } from 'vitest';
import { applyChanges, compile, diagnosticCodes, type EdlHost } from '../../../src/engine/edl/index.ts';
import {
  type ChangeExample,
  diagnosticExamples,
  type TextExample,
} from '../../../tools/edl-diagnostic-examples.ts';
import { testHost } from '../../support/edl-manifests.ts';
import { simHost } from '../../support/sim-host.ts';

const host: EdlHost = {
  ...simHost(),
  // One example is about a kind of set that no built-in scenario has.
  manifest: (name, parameters) =>
    simHost().manifest(name, parameters) ?? testHost().manifest(name, parameters),
};
const examples = Object.entries(diagnosticExamples);
const texts = examples.filter((entry): entry is [string, TextExample] => entry[1].kind === 'text');
const changes = examples.filter((entry): entry is [string, ChangeExample] => entry[1].kind === 'change');

function hostFor({ files }: TextExample): EdlHost {
  return {
    ...host,
    text: (path) => (files[path] === undefined ? null : { path, text: files[path] }),
  };
}

function codesOf(example: TextExample, piece: string): { codes: Set<string>; errors: string[] } {
  const text =
    example.scenario === null ? piece : `environment example extends ${example.scenario} {\n${piece}\n}\n`;
  const { diagnostics } = compile(text, hostFor(example), 'example.edl');
  return {
    codes: new Set(diagnostics.map((diagnostic) => diagnostic.code)),
    errors: diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => `${code} ${message}`),
  };
}

function refusalOf(example: ChangeExample, tried: ChangeExample['wrong']): string | null {
  const result = applyChanges(example.text, tried, host, { author: example.author });
  return 'refused' in result ? `${result.refused.code} ${result.refused.message}` : null;
}

describe('the example of a diagnostic', () => {
  test('stands for every code', () => {
    expect(Object.keys(diagnosticExamples)).toEqual(Object.keys(diagnosticCodes));
  });

  test.each(texts)('%s is raised by its text, alone', (code, example) => {
    const { codes, errors } = codesOf(example, example.wrong);
    expect([...codes], errors.join('; ')).toContain(code);
    // A warning may follow from an error; another error may not.
    expect(errors.filter((error) => !error.startsWith(code))).toEqual([]);
    if (errors.length === 0) expect([...codes]).toEqual([code]);
  });

  test.each(texts)('%s is gone from the mended text, and nothing else comes up', (_, example) => {
    const { codes, errors } = codesOf(example, example.right);
    expect([...codes], errors.join('; ')).toEqual([]);
  });

  test.each(changes)('%s refuses its change', (code, example) => {
    expect(refusalOf(example, example.wrong)).toMatch(new RegExp(`^${code} `));
  });

  test.each(changes)('%s lets the mended change pass', (_, example) => {
    expect(refusalOf(example, example.right)).toBeNull();
  });

  test('what no text raises is raised by its surroundings', () => {
    const [manifest] = [host.manifest('simple_spread', {})];
    if (manifest === null) throw new Error('no simple_spread');
    const { relations: _, ...older } = manifest;
    const text = 'environment x extends simple_spread { reward r { give 1 to agent } }';
    const raised = (from: EdlHost) =>
      compile(text, from).diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect(raised({ manifest: () => older as typeof manifest })).toEqual([
      "EDL215 the manifest of 'simple_spread' was made for another version: it has no relations",
    ]);
    const broken = { ...manifest, groups: [null] } as unknown as typeof manifest;
    expect(raised({ manifest: () => broken })[0]).toMatch(/^EDL(199|201) /);
  });
});
