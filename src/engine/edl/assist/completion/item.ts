import type { SourceRange } from '../../types.ts';

export const completionKinds = [
  'keyword',
  'snippet',
  'scenario',
  'parameter',
  'set',
  'entity',
  'variable',
  'signal',
  'metric',
  'attribute',
  'relation',
  'function',
  'unit',
  'event',
  'behaviour',
  'declaration',
  'value',
] as const;

export type CompletionKind = (typeof completionKinds)[number];

/** Something that may be written at a place. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  /** In a few words, beside the label: unit, range, signature. */
  readonly detail: string;
  /** What it means. */
  readonly doc: string;
  /** What replaces `range`; with `isSnippet`, `${1:…}` are places to fill in. */
  readonly insertText: string;
  readonly isSnippet: boolean;
  readonly range: SourceRange;
  /** Lower stands higher in the list. */
  readonly rank: number;
}

/** An item before its place is known. */
export type Proposal = Omit<CompletionItem, 'range' | 'insertText' | 'isSnippet' | 'rank'> &
  Partial<Pick<CompletionItem, 'insertText' | 'isSnippet' | 'rank'>> & {
    /** Offset from which the text up to the cursor is replaced, where it is not the word at the cursor. */
    readonly from?: number;
  };

const ranks: Readonly<Record<CompletionKind, number>> = {
  variable: 0,
  attribute: 1,
  value: 1,
  unit: 1,
  relation: 2,
  set: 2,
  signal: 3,
  metric: 3,
  event: 3,
  behaviour: 3,
  declaration: 3,
  scenario: 3,
  parameter: 4,
  entity: 5,
  function: 6,
  snippet: 7,
  keyword: 8,
};

export function completeProposal(proposal: Proposal, range: SourceRange): CompletionItem {
  const { from: _, ...item } = proposal;
  return { insertText: item.label, isSnippet: false, rank: ranks[item.kind], ...item, range };
}
