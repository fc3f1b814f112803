import { type AssistText, framesOf, insideEnvironment, type Position } from '../assist-text.ts';
import type { ExpressionPlace } from '../evaluate.ts';
import { grammarGraph } from '../grammar-graph.ts';
import { type Expectation, type Frame, GrammarWalk, type Step, stepsUpTo } from '../grammar-walk.ts';
import { lex, type Token } from '../lexer.ts';
import { textOf, variablesAt } from '../scope.ts';

/** The word that is being written, and what may stand there. */
export interface CompletionPlace {
  /** Where the word begins; the cursor where none is begun. */
  readonly start: number;
  readonly offset: number;
  readonly expectations: readonly Expectation[];
}

/** Null in a comment, in a string and behind the end of the environment. */
export function findPlace(text: AssistText, position: Position): CompletionPlace | null {
  const offset = text.offsetOf(position);
  const start = offset - wordBefore(text.text.slice(Math.max(0, offset - 80), offset)).length;
  const piece = offset < text.headerEnd ? null : text.pieceAt(start);
  if (piece === null && offset < Math.max(text.headerEnd, text.headerEnd === 0 ? offset + 1 : 0)) {
    return walkFrom(text, GrammarWalk.start('Environment'), { from: 0, start, offset });
  }
  const isBehind = piece !== null && piece.lexed.tokens.at(-1)?.text === '}' && piece.end <= start;
  const from = piece === null || isBehind ? Math.max(text.headerEnd, isBehind ? piece.end : 0) : piece.start;
  return walkFrom(text, insideEnvironment(), { from, start, offset });
}

interface Stretch {
  readonly from: number;
  readonly start: number;
  readonly offset: number;
}

function walkFrom(
  text: AssistText,
  walk: GrammarWalk,
  { from, start, offset }: Stretch,
): CompletionPlace | null {
  // Read to the end of the line, so that a comment or string around the cursor is seen whole.
  const { tokens, comments } = lex(text.text, grammarGraph().keywords, from, endOfLine(text.text, offset));
  const isInside = (part: { readonly start: number; readonly end: number }) =>
    part.start < offset && (offset < part.end || (offset === part.end && isOpenEnded(text.text, part)));
  if (comments.some(isInside) || tokens.some((token) => token.type === 'STRING' && isInside(token)))
    return null;
  const before = tokens.filter((token) => token.end <= start);
  if (before.at(-1)?.text === '}' && isAfterEnd(before)) return null;
  return { start, offset, expectations: walk.after(before).expectations() };
}

/** A line comment goes on at its end, and so does a string that was not closed. */
function isOpenEnded(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const own = text.slice(start, end);
  if (own.startsWith('/*')) return !own.endsWith('*/');
  return own.startsWith('//') || own.length === 1 || !own.endsWith('"');
}

function isAfterEnd(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { text } of tokens) depth += text === '{' ? 1 : text === '}' ? -1 : 0;
  return depth < 0;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** The name, or the unit after a number, that ends here. */
function wordBefore(text: string): string {
  return /(?<=\d\s*)m\/s?\^?2?$/.exec(text)?.[0] ?? /[A-Za-z_][A-Za-z0-9_]*$/.exec(text)?.[0] ?? '';
}

/** The tokens of the declaration before an expectation, and how expressions read there. */
export function surroundings(
  expectation: Expectation,
  offset: number,
): { steps: Step[]; place: ExpressionPlace } {
  const declaration = expectation.frame.declaration;
  const steps = stepsUpTo(expectation.last).filter((step) => step.frame.declaration === declaration);
  return {
    steps,
    place: { variables: variablesAt(steps, expectation.frame, offset), reads: readsOf(expectation.frame) },
  };
}

/** Issues and stages read metrics, everything else the state. */
export function readsOf(frame: Frame): ExpressionPlace['reads'] {
  for (const { rule } of framesOf(frame)) {
    if (rule.name === 'Issue' || rule.name === 'Until') return 'metrics';
  }
  return 'state';
}

/** The innermost call around a place, with its name; null outside of one. */
export function callAround(steps: readonly Step[], frame: Frame): { name: string; frame: Frame } | null {
  for (const at of framesOf(frame)) {
    if (at.rule.name === 'Group' || at.rule.name === 'Arguments') return null;
    if (at.parent?.rule.name === 'Call' && at.feature === 'arguments')
      return { name: textOf(steps, at.parent, 'name'), frame: at.parent };
  }
  return null;
}
