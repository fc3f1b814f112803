import { targetOf } from '../declarations/registry.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { splitTokens } from '../tokens.ts';
import { mergeDeclaration } from './merge-declaration.ts';

const defaultIndent = '  ';

function spanOf(node: {
  readonly $cstNode?: { readonly offset: number; readonly end: number } | undefined;
}): { start: number; end: number } {
  if (node.$cstNode === undefined) throw new RangeError('the declaration has no place in the text');
  return { start: node.$cstNode.offset, end: node.$cstNode.end };
}

/** Takes a declaration out, and the line it stood on where nothing else is left there. */
export function removeDeclaration(text: string, node: Declaration): string {
  const { start, end } = spanOf(node);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineBreak = text.indexOf('\n', end);
  const lineEnd = lineBreak < 0 ? text.length : lineBreak + 1;
  const isAlone = text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === '';
  if (!isAlone)
    return (
      (/^\s/.test(text.slice(end, end + 1))
        ? text.slice(0, start).replace(/[ \t]+$/, '')
        : text.slice(0, start)) + text.slice(end)
    );
  return text.slice(0, withoutBlankBefore(text, lineStart, lineEnd)) + text.slice(lineEnd);
}

/** A blank line before a block goes with it where the text after it would leave two, or one before the brace. */
function withoutBlankBefore(text: string, lineStart: number, lineEnd: number): number {
  const before = text.lastIndexOf('\n', lineStart - 2) + 1;
  const isBlankBefore = lineStart > 0 && text.slice(before, lineStart).trim() === '';
  const nextBreak = text.indexOf('\n', lineEnd);
  const next = text.slice(lineEnd, nextBreak < 0 ? text.length : nextBreak).trim();
  return isBlankBefore && (next === '' || next.startsWith('}')) ? before : lineStart;
}

/** Puts new content in a declaration's place, in its indentation, with its comments. */
export function replaceDeclaration(text: string, node: Declaration, edl: string): string {
  const { start, end } = spanOf(node);
  const lines = indented(edl, indentAt(text, start), lineBreakOf(text));
  return text.slice(0, start) + mergeDeclaration(text.slice(start, end), lines) + text.slice(end);
}

/** Kinds of one line, in the order in which they stand before the blocks. */
const lineKinds = ['mission', 'set', 'capacity', 'without'];

/**
 * Adds a declaration: one of a line after the last of its kind (else after those that stand before it, else first), a
 * block at the end with a blank line before it. So a new stage is the last one.
 */
export function addDeclaration(text: string, environment: Environment, edl: string, target: string): string {
  const rank = lineKinds.indexOf(target.split(' ')[0] ?? '');
  const isBlock = rank < 0;
  const eol = lineBreakOf(text);
  const [sibling] = environment.declarations;
  const indent =
    sibling === undefined ? defaultIndent : indentAt(text, spanOf(sibling).start) || defaultIndent;
  const anchor = isBlock ? null : anchorOf(environment, rank);
  const lines = indented(edl, indent, eol);
  if (anchor !== null) {
    const at = lineEndAfter(text, anchor);
    return `${text.slice(0, at)}${eol}${indent}${lines}${text.slice(at)}`;
  }
  const { end } = spanOf(environment);
  const brace = isBlock ? end - 1 : bodyBrace(environment);
  return isBlock
    ? insertBeforeBrace(text, brace, indent + lines, eol)
    : insertAfterBrace(text, brace, indent + lines, eol);
}

/** End of the declaration that one of a line goes after: the last of its kind, else of the kinds before it. */
function anchorOf(environment: Environment, rank: number): number | null {
  for (let before = rank; before >= 0; before--) {
    const last = environment.declarations.findLast(
      (node) => targetOf(node).split(' ')[0] === lineKinds[before],
    );
    if (last !== undefined) return spanOf(last).end;
  }
  return null;
}

/** Just after the brace that opens the environment: a file name before it may hold one too. */
function bodyBrace(environment: Environment): number {
  const text = environment.$cstNode?.text ?? '';
  const { pieces } = splitTokens(text);
  let offset = 0;
  for (const piece of pieces) {
    offset += piece.trivia.length + piece.text.length;
    if (piece.text === '{') break;
  }
  return spanOf(environment).start + offset;
}

/** End of the line if only a comment follows on it, else right here. */
function lineEndAfter(text: string, offset: number): number {
  const rest = /^[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n\r]*?\*\/[ \t]*)?(?=\r?\n)/.exec(
    text.slice(offset, offset + 2000),
  );
  return rest === null ? offset : offset + rest[0].length;
}

function insertBeforeBrace(text: string, brace: number, lines: string, eol: string): string {
  const lineStart = text.lastIndexOf('\n', brace - 1) + 1;
  const isAlone = text.slice(lineStart, brace).trim() === '';
  if (!isAlone)
    return `${text.slice(0, brace).replace(/[ \t]+$/, '')}${eol}${lines}${eol}${text.slice(brace)}`;
  const before = text.slice(0, lineStart);
  const isFirst = before.trimEnd().endsWith('{');
  const hasBlank = /\n[ \t]*\r?\n$/.test(before);
  return `${before}${isFirst || hasBlank ? '' : eol}${lines}${eol}${text.slice(lineStart)}`;
}

function insertAfterBrace(text: string, brace: number, lines: string, eol: string): string {
  const at = lineEndAfter(text, brace);
  const rest = text.slice(at);
  return /^\r?\n/.test(rest)
    ? `${text.slice(0, at)}${eol}${lines}${rest}`
    : `${text.slice(0, at)}${eol}${lines}${eol}${rest.trimStart()}`;
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

/** Lines after the first brought to the given indentation; what is put in stands in the canonical layout, at depth 0. */
function indented(edl: string, indent: string, eol: string): string {
  const [first = '', ...rest] = edl.trim().replaceAll('\r\n', '\n').split('\n');
  return [first, ...rest.map((line) => (line.trim() === '' ? '' : indent + line))].join(eol);
}

function lineBreakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
