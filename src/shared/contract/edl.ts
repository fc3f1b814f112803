import { z } from 'zod';
import { scenarioManifest } from '../rl/manifest.ts';
import { call } from './define.ts';
import { edlDocuments } from './edl-documents.ts';
import { fileArgument } from './file-argument.ts';
import { diagnostic } from './source-range.ts';

export { type Diagnostic, diagnostic } from './source-range.ts';

/** What a model is to write, for which its grammar is asked. */
export const grammarRequest = z.object({
  scenario: z.string(),
  shape: z.enum(['declaration', 'list', 'proposal']).default('declaration'),
  count: z.int().min(1).max(12).default(3).describe('declarations of a list'),
  kinds: z
    .array(z.string())
    .optional()
    .describe('kinds of declaration; default: all the scenario has something for'),
  names: z
    .array(z.string())
    .optional()
    .describe('what new declarations may be called; default: any two words'),
  targets: z.array(z.string()).optional().describe('declarations that are there: "reward crowding"'),
  author: z.enum(['person', 'coach']).default('person'),
  examples: z.int().min(0).max(1000).default(0),
  seed: z.int().nonnegative().default(1),
});

/** What is asked about whole texts, and about documents that are being edited. */
export const edl = {
  check: call({
    args: z.object({ text: z.string(), path: fileArgument().optional() }),
    result: z.object({
      diagnostics: z.array(diagnostic),
      environment: z
        .object({ name: z.string(), scenario: z.string(), identity: z.string(), costPerStep: z.number() })
        .nullable(),
    }),
    errors: [],
    doc: 'Diagnostics of an EDL text; environment is null while there are errors.',
  }),
  format: call({
    args: z.object({ text: z.string() }),
    result: z.object({ text: z.string() }),
    errors: ['edl.invalid'],
    doc: 'The canonical layout, comments kept.',
  }),
  explain: call({
    args: z.object({ text: z.string(), path: fileArgument().optional() }),
    result: z.object({ text: z.string() }),
    errors: ['edl.invalid'],
    doc: 'Plain words: what this environment changes, within which bounds, at which cost.',
  }),
  flatten: call({
    args: z.object({ text: z.string(), path: fileArgument().optional() }),
    result: z.object({ text: z.string() }),
    errors: ['edl.invalid'],
    doc: 'The text with all the files it extends, as one that needs no other.',
  }),
  schema: call({
    args: z.object({ of: z.enum(['ir', 'proposal']) }),
    result: z.object({ schema: z.record(z.string(), z.unknown()) }),
    errors: [],
    doc: 'JSON schema of the canonical form of environments, or of what a coach answers.',
  }),
  grammar: call({
    args: grammarRequest,
    result: z.object({
      grammar: z.string().describe('GBNF, starting at root'),
      rules: z.int(),
      maxLength: z.int().describe('characters of the longest completion'),
      examples: z.array(z.string()).describe('random completions'),
    }),
    errors: ['scenario.unknown', 'input.invalid'],
    doc: 'The grammar a model is held to when it writes EDL for a scenario.',
  }),
  scenarios: call({
    args: z.object({ named: z.string().optional() }),
    result: z.array(scenarioManifest),
    errors: [
      'scenario.unknown',
      'scenario.invalidParameter',
      'sim.addonMissing',
      'sim.addonMismatch',
      'scenario.badLibrary',
    ],
    doc: 'Capability manifests of the scenarios at their default parameters, or of the one that is named, be it as a reference library names it: with the defaults that this name sets.',
  }),
  ...edlDocuments,
};
