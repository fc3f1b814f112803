import { createHash } from 'node:crypto';
import type { CompiledEnvironment, CompiledStage, CompileResult } from '../../../src/engine/edl/types.ts';
import type { EdlServices } from '../../../src/engine/runs/index.ts';
import { toyManifest } from './toy-env.ts';

/** The text of a toy environment; a stage is such as "easy { set bias = 0 until coverage > 0.4 for 2 evaluations }". */
export function toyText(bias = 0, stages: readonly string[] = []): string {
  const lines = [`set bias = ${bias}`, ...stages.map((stage) => `stage ${stage}`)];
  return `environment toy_world extends toy {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

const stagePattern =
  /stage (\w+) \{ set bias = (\S+)(?: until coverage > (\S+)(?: for (\d+) evaluations)?)? \}/g;

function stagesOf(text: string): CompiledStage[] {
  return [...text.matchAll(stagePattern)].map(([, name = '', bias, least, times]) => ({
    name,
    doc: '',
    until:
      least === undefined
        ? null
        : {
            text: `coverage > ${least}`,
            metrics: ['coverage'],
            holds: (metrics) => (metrics('coverage') ?? Number.NEGATIVE_INFINITY) > Number(least),
          },
    forEvaluations: Number(times ?? 1),
    spec: specOf(Number(bias)),
    identity: identityOf(Number(bias)),
  }));
}

const specOf = (bias: number) => ({ scenario: 'toy', parameters: { bias }, program: null, scripted: {} });
const identityOf = (bias: number) => createHash('sha256').update(`toy ${bias}`).digest('hex');

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
    spec: specOf(bias),
    identity: identityOf(bias),
    ir: {} as CompiledEnvironment['ir'],
    costPerStep: 0,
    declarations: [],
    issues: [],
    metrics: [],
    regimes: [],
    stages: stagesOf(text),
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
