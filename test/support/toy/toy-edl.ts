import { createHash } from 'node:crypto';
import type { CompiledEnvironment, CompileResult } from '../../../src/engine/edl/types.ts';
import type { EdlServices } from '../../../src/engine/runs/index.ts';
import { toyManifest } from './toy-env.ts';

/** The text of a toy environment. */
export function toyText(bias = 0): string {
  return `environment toy_world extends toy {\n  set bias = ${bias}\n}\n`;
}

function compileToy(text: string): CompileResult {
  const header = /^environment (\w+) extends (\w+) \{/.exec(text);
  if (header?.[2] !== 'toy') {
    const range = { start: { line: 0, character: 12 }, end: { line: 0, character: 15 } };
    return {
      environment: null,
      diagnostics: [
        { code: 'EDL101', severity: 'error', message: 'unknown scenario', range, suggestions: ['toy'] },
      ],
    };
  }
  const bias = Number(/set bias = (\S+)/.exec(text)?.[1] ?? 0);
  const environment: CompiledEnvironment = {
    name: header[1] ?? '',
    scenario: 'toy',
    mission: '',
    spec: { scenario: 'toy', parameters: { bias }, program: null, scripted: {} },
    identity: createHash('sha256').update(`toy ${bias}`).digest('hex'),
    ir: {} as CompiledEnvironment['ir'],
    costPerStep: 0,
    declarations: [],
    issues: [],
    metrics: [],
    regimes: [],
    stages: [],
    capacities: {},
    manifest: toyManifest,
  };
  return { environment, diagnostics: [] };
}

export const toyEdl: EdlServices = {
  scenarios: () => ['toy'],
  compile: compileToy,
  flatten: (text) => ({ text }),
  applyChanges(text, changes) {
    const after = changes.reduce((so, { edl }) => so.replace(/set bias = \S+/, edl), text);
    const { environment, diagnostics } = compileToy(after);
    if (environment !== null) return { text: after, environment, edits: [] };
    const [refused] = diagnostics;
    if (refused === undefined) throw new Error('a toy text that does not compile says why');
    return { refused, change: 0 };
  },
};
