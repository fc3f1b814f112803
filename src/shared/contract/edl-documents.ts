import { z } from 'zod';
import { call } from './define.ts';
import { fileArgument } from './file-argument.ts';
import { diagnostic, position, sourceRange } from './source-range.ts';

/**
 * Documents: EDL texts as they are being edited, held by the engine's language thread. A window opens a document, tells each
 * version, and asks about the version it shows. `session` tells windows apart: each sees its own unsaved texts, also where
 * one file extends another.
 */
const documentName = z.object({
  session: z.string().min(1).max(64),
  path: fileArgument().min(1).max(1024).describe('workspace path; what `extends "…"` is looked up from'),
});
const documentVersion = documentName.extend({ version: z.int().nonnegative() });
const documentText = documentVersion.extend({ text: z.string() });
const documentPlace = documentVersion.extend({ position });

const location = z.object({
  path: z.string().nullable().describe('null: the document itself'),
  range: sourceRange,
});
const textEdit = z.object({ range: sourceRange, text: z.string() });
const stale = ['edl.notOpen', 'edl.stale', 'engine.unavailable'] as const;

const outlineItem = z.object({
  name: z.string(),
  detail: z.string(),
  kind: z.string().describe("'environment' or the keyword of the declaration"),
  range: sourceRange,
  selection: sourceRange,
  get children() {
    return z.array(outlineItem);
  },
});

const completionItem = z.object({
  label: z.string(),
  kind: z.string(),
  detail: z.string(),
  doc: z.string(),
  insertText: z.string(),
  isSnippet: z.boolean(),
  range: sourceRange,
  rank: z.number(),
});

export type CompletionItemView = z.infer<typeof completionItem>;
export type OutlineItemView = z.infer<typeof outlineItem>;

/** Kinds of names that are coloured apart, in the order of their numbers. */
export const semanticTokenTypes = [
  'scenario',
  'declaration',
  'parameter',
  'set',
  'variable',
  'attribute',
  'signal',
  'metric',
  'function',
  'unit',
  'event',
  'behaviour',
] as const;

export type SemanticTokenType = (typeof semanticTokenTypes)[number];

/**
 * One call per service of an editor. `edl.notOpen`: open the document (again); `edl.stale`: the document has moved on, or the
 * request was cancelled, and the answer would be of no use.
 */
export const edlDocuments = {
  open: call({
    args: documentText,
    result: z.object({}),
    errors: ['engine.unavailable'],
    doc: 'Opens a document, or takes over its text anew.',
  }),
  change: call({
    args: documentText,
    result: z.object({}),
    errors: ['edl.notOpen'],
    doc: 'The next version of a document. Requests about older versions that wait or are under way end as edl.stale.',
  }),
  close: call({
    args: documentName,
    result: z.object({}),
    errors: [],
    doc: 'Closes a document; other documents see its file again. Not open: nothing happens.',
  }),
  cancel: call({
    args: documentName,
    result: z.object({}),
    errors: [],
    doc: 'Ends what waits or is under way for a document, as edl.stale.',
  }),
  diagnose: call({
    args: documentVersion,
    result: z.object({
      diagnostics: z.array(diagnostic),
      costPerStep: z.number().nullable().describe('null while there are errors'),
      bases: z.array(z.string()).describe('files it extends, nearest first: check again when they change'),
    }),
    errors: stale,
    doc: 'Diagnostics of a document; unchanged declarations are not read again.',
  }),
  complete: call({
    args: documentPlace,
    result: z.array(completionItem),
    errors: stale,
    doc: 'What may be written at a position, best first; the text need not parse.',
  }),
  hover: call({
    args: documentPlace.extend({
      values: z
        .record(z.string(), z.number())
        .optional()
        .describe('current values in the run that is selected'),
    }),
    result: z.object({ range: sourceRange, markdown: z.string() }).nullable(),
    errors: stale,
    doc: 'What the name at a position means: unit, range, default, value here and in the selected run.',
  }),
  definition: call({
    args: documentPlace,
    result: z.array(location),
    errors: stale,
    doc: 'Where what is named at a position is declared, in this file or in one it extends.',
  }),
  references: call({
    args: documentPlace,
    result: z.array(location),
    errors: stale,
    doc: 'Every mention of what is named at a position, its declaration included.',
  }),
  prepareRename: call({
    args: documentPlace,
    result: z.union([
      z.object({ range: sourceRange, name: z.string() }),
      z.object({ refused: z.string().describe('why nothing can be renamed here') }),
    ]),
    errors: stale,
    doc: 'What a rename at a position would rename.',
  }),
  rename: call({
    args: documentPlace.extend({ name: z.string().max(256) }),
    result: z.union([z.object({ edits: z.array(textEdit) }), z.object({ refused: z.string() })]),
    errors: stale,
    doc: 'Gives a declaration or variable another name throughout the document; clashes are refused with the reason.',
  }),
  outline: call({
    args: documentVersion,
    result: z.array(outlineItem),
    errors: stale,
    doc: 'What the document declares, in its order.',
  }),
  folding: call({
    args: documentVersion,
    result: z.array(
      z.object({
        startLine: z.int().nonnegative(),
        endLine: z.int().nonnegative(),
        kind: z.enum(['block', 'comment']),
      }),
    ),
    errors: stale,
    doc: 'Lines that fold, zero-based and inclusive.',
  }),
  semanticTokens: call({
    args: documentVersion,
    result: z.object({ types: z.array(z.string()), data: z.array(z.int()) }),
    errors: stale,
    doc: 'Names by what they are, five numbers each as in LSP; `types` names the fourth of them.',
  }),
  signature: call({
    args: documentPlace,
    result: z
      .object({
        signature: z.string(),
        doc: z.string(),
        parameters: z.array(z.string()),
        activeParameter: z.int().nonnegative(),
      })
      .nullable(),
    errors: stale,
    doc: 'The function around a position and which of its arguments is being written.',
  }),
  fixes: call({
    args: documentVersion.extend({ range: sourceRange }),
    result: z.array(
      z.object({
        title: z.string(),
        code: z.string(),
        range: sourceRange,
        edits: z.array(textEdit),
        isPreferred: z.boolean(),
      }),
    ),
    errors: stale,
    doc: 'Changes that the diagnostics in a range suggest.',
  }),
};
