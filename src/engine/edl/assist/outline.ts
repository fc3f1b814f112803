import type { DeclarationKindName, SourceRange } from '../types.ts';
import type { AssistText } from './assist-text.ts';

/** A declaration in the outline of a text. */
export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'environment' | DeclarationKindName;
  readonly range: SourceRange;
  /** The name alone. */
  readonly selection: SourceRange;
  readonly children: OutlineItem[];
}

/** What the text declares, in its order, below the environment itself. */
export function outlineOf(text: AssistText): OutlineItem[] {
  const children = text.declarations.map((view): OutlineItem => {
    const [first] = view.nameTokens;
    const named = { start: first?.start ?? view.start, end: view.nameTokens.at(-1)?.end ?? view.end };
    return {
      name: view.name === '' ? view.keyword : view.name,
      detail: view.doc === '' ? view.keyword : `${view.keyword} · ${view.doc}`,
      kind: view.keyword,
      range: text.rangeOf(view),
      selection: text.rangeOf(named),
      children: [],
    };
  });
  const name = text.headerToken('name');
  if (name === null) return children;
  const base = text.headerToken('scenario') ?? text.headerToken('base');
  return [
    {
      name: name.text,
      detail: base === null ? 'environment' : `extends ${base.text}`,
      kind: 'environment',
      range: text.rangeOf({ start: text.header[0]?.token.start ?? 0, end: text.text.trimEnd().length }),
      selection: text.rangeOf(name),
      children,
    },
  ];
}

/** Lines that fold into the first of them, zero-based and inclusive. */
export interface FoldingRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'block' | 'comment';
}

/** Blocks, and comments of several lines. */
export function foldingOf(text: AssistText): FoldingRange[] {
  const blocks = [
    ...(text.headerEnd > 0
      ? [{ start: text.header[0]?.token.start ?? 0, end: text.text.trimEnd().length }]
      : []),
    ...text.declarations,
  ];
  return [
    ...blocks.map((block) => fold(text, block, 'block', 1)),
    ...commentGroups(text).map((group) => fold(text, group, 'comment', 0)),
  ].filter(({ startLine, endLine }) => endLine > startLine);
}

/** The line of the closing brace stays visible. */
function fold(
  text: AssistText,
  part: { readonly start: number; readonly end: number },
  kind: FoldingRange['kind'],
  numKept: number,
): FoldingRange {
  const { start, end } = text.rangeOf(part);
  return { startLine: start.line, endLine: end.line - numKept, kind };
}

const comments = /"(?:\\.|[^"\\\n\r])*"|\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n\r]*(?:\r?\n|$))+/gm;

function commentGroups({ text }: AssistText): { start: number; end: number }[] {
  return [...text.matchAll(comments)]
    .filter(({ 0: own }) => !own.startsWith('"'))
    .map(({ 0: own, index }) => ({ start: index, end: index + own.trimEnd().length }));
}
