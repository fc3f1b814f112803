import type { z } from 'zod';
import { type edlDocuments, semanticTokenTypes } from '../../shared/contract/edl-documents.ts';
import {
  complete,
  findDefinition,
  findReferences,
  foldingOf,
  hover,
  outlineOf,
  prepareRename,
  quickFixes,
  rename,
  semanticTokens,
  signatureAt,
} from '../edl/assist/index.ts';
import type { EdlHost } from '../edl/index.ts';
import type { LanguageDocument } from './document.ts';

type Calls = typeof edlDocuments;

/** Calls that keep the documents. */
export type KeepingVerb = 'open' | 'change' | 'close' | 'cancel';
/** Calls that ask about one. */
export type ServiceVerb = Exclude<keyof Calls, KeepingVerb>;
export type ServiceArgs<V extends ServiceVerb> = z.output<Calls[V]['args']>;
export type ServiceResult<V extends ServiceVerb> = z.input<Calls[V]['result']>;

/** What a service works with. */
export interface Asked {
  readonly document: LanguageDocument;
  readonly host: EdlHost;
  /** Called between parts of long work; throws once the answer is of no use. */
  readonly checkpoint: () => void;
}

type Services = { readonly [V in ServiceVerb]: (asked: Asked, args: ServiceArgs<V>) => ServiceResult<V> };

/** What can be asked about a document, by the call of the contract. */
export const documentServices: Services = {
  diagnose({ document, host, checkpoint }) {
    const { diagnostics, costPerStep } = document.check(host, checkpoint);
    const bases = document.scene(host).bases.map((base) => base.file);
    return { diagnostics, costPerStep, bases };
  },
  complete: ({ document, host }, { position }) => complete(document.scene(host), position),
  hover: ({ document, host }, { position, values }) => hover(document.scene(host), position, values),
  definition: ({ document, host }, { position }) => located(findDefinition(document.scene(host), position)),
  references: ({ document, host }, { position }) => located(findReferences(document.scene(host), position)),
  prepareRename: ({ document, host }, { position }) => prepareRename(document.scene(host), position),
  rename({ document, host }, { position, name }) {
    const renamed = rename(document.scene(host), position, name);
    return 'refused' in renamed ? renamed : { edits: [...renamed.edits] };
  },
  outline: ({ document }) => outlineOf(document.view),
  folding: ({ document }) => foldingOf(document.view),
  semanticTokens: ({ document, host }) => ({
    types: [...semanticTokenTypes],
    data: semanticTokens(document.scene(host)),
  }),
  signature({ document, host }, { position }) {
    const help = signatureAt(document.scene(host), position);
    return help === null ? null : { ...help, parameters: [...help.parameters] };
  },
  fixes: ({ document, host, checkpoint }, { range }) =>
    quickFixes(document.check(host, checkpoint).diagnostics, range).map((fix) => ({
      ...fix,
      edits: [...fix.edits],
    })),
};

function located(locations: ReturnType<typeof findDefinition>): ServiceResult<'definition'> {
  return locations.map(({ file, range }) => ({ path: file, range }));
}
