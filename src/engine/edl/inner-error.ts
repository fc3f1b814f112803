import type { ParseResult } from 'langium';

/** Deepest call that is looked into. */
const maxDepth = 40;

type SyntaxError = ParseResult['parserErrors'][number];

/** Reads a text as one part of the grammar: what is wrong with it. */
export type ReadPart = (text: string, rule: 'Call' | 'Quantifier') => readonly SyntaxError[];

/** A name right before a bracket. */
const called = /[A-Za-z_]\w*\s*$/;
const binding = /^\w+\s*\(\s*[A-Za-z_]\w*\s+in\b/;

/**
 * The error inside a call where there is one. Where a call cannot be read to its end, the parser takes the name before
 * the bracket for all there is, and stumbles over the bracket; read as a call, the text shows what is wrong with it.
 * `end`: of the declaration.
 */
export function innermostError(text: string, error: SyntaxError, end: number, read: ReadPart): SyntaxError {
  let innermost = error;
  for (let depth = 0; depth < maxDepth; depth++) {
    const inner = errorInside(text, innermost, end, read);
    if (inner === null) return innermost;
    innermost = inner;
  }
  return innermost;
}

function errorInside(text: string, { token }: SyntaxError, end: number, read: ReadPart): SyntaxError | null {
  if (token.image !== '(') return null;
  const bracket = token.startOffset;
  const name = called.exec(text.slice(Math.max(0, bracket - 200), bracket))?.[0];
  if (name === undefined) return null;
  const start = bracket - name.length;
  const call = text.slice(start, end);
  const rule = binding.test(call) ? 'Quantifier' : 'Call';
  // Blanks in place of what stands before keep the offsets.
  const [found] = read(`${' '.repeat(start)}${call}`, rule);
  if (found === undefined || found.name === 'NotAllInputParsedException') return null;
  return Number.isNaN(found.token.startOffset) || found.token.startOffset > bracket ? found : null;
}
