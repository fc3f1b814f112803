import { type AstNode, GrammarUtils } from 'langium';
import { internalDiagnostic } from '../check-text.ts';
import { format } from '../format/format.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { maxTextLength, parseText } from '../parse.ts';
import { makeDiagnostic, Reporter, rangeOf } from '../reporter.ts';
import type { EdlHost, TextResult } from '../types.ts';
import { resolveExtends } from './resolve.ts';

/**
 * One text that needs no other: it extends the scenario itself and holds the declarations of all files it extended, in
 * the order in which they count, each with the comments around it. It has the same meaning and the same identity. A
 * text that extends a scenario is given back as it is.
 * What cannot be read is given back as its diagnostics. Throws: never.
 */
export function flatten(text: string, host: EdlHost, path?: string): TextResult {
  try {
    return flattenParsed(text, host, path);
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)] };
  }
}

function flattenParsed(text: string, host: EdlHost, path: string | undefined): TextResult {
  const parsed = parseText(text);
  if (parsed.ast === null || parsed.diagnostics.length > 0) return { diagnostics: parsed.diagnostics };
  const { ast } = parsed;
  if (ast.base === undefined) return { text };
  const reporter = new Reporter();
  const resolved = resolveExtends(ast, host, reporter, path);
  if (resolved === null || reporter.hasErrors) return { diagnostics: reporter.sorted() };
  const chunks = new Map<Declaration, string>();
  const environments = new Set([ast, ...resolved.declarations.map(environmentOf)]);
  let ending = '';
  for (const environment of environments) {
    const rest = collectChunks(environment, chunks);
    if (environment === ast) ending = rest;
  }
  const body = resolved.declarations.map((node) => chunks.get(node) ?? '').join('\n');
  const laidOut = format(`${headerOf(ast, resolved.scenario)}\n${body}\n${ending}`.replaceAll('\r\n', '\n'));
  if (!('text' in laidOut)) return laidOut;
  if (laidOut.text.length > maxTextLength) {
    const message = `with all it extends the text has ${laidOut.text.length} characters; at most ${maxTextLength} are read`;
    return { diagnostics: [makeDiagnostic('EDL101', rangeOf({ node: ast, property: 'base' }), message)] };
  }
  return { text: text.includes('\r\n') ? laidOut.text.replaceAll('\n', '\r\n') : laidOut.text };
}

function environmentOf(node: Declaration): Environment {
  const { $container } = node;
  if ($container.$type !== 'Environment') throw new RangeError('the declaration stands in a block');
  return $container;
}

/**
 * Each declaration with the comments that belong to it: those before it, and those on its own line after it. What
 * stood around a `without` goes to the declaration after it. Answers what stands after the last one.
 */
function collectChunks(environment: Environment, into: Map<Declaration, string>): string {
  const text = sourceOf(environment);
  const { end } = spanOf(environment);
  let at = bodyStart(environment);
  let waiting = '';
  for (const [i, node] of environment.declarations.entries()) {
    const span = spanOf(node);
    const next = environment.declarations[i + 1];
    const gapEnd = next === undefined ? end - 1 : spanOf(next).start;
    const until = span.end + trailingLength(text.slice(span.end, gapEnd));
    const own = node.$type === 'Without' ? '' : text.slice(span.start, span.end);
    const chunk = `${joined(waiting, text.slice(at, span.start))}${own}${text.slice(span.end, until)}`;
    at = until;
    waiting = '';
    if (node.$type === 'Without') waiting = chunk.trimEnd();
    else into.set(node, chunk);
  }
  return joined(waiting, text.slice(at));
}

/** A comment may go to the end of its line: what follows begins another. */
function joined(comments: string, rest: string): string {
  return comments === '' || /^[ \t]*\r?\n/.test(rest) ? comments + rest : `${comments}\n${rest}`;
}

const comment = /[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/[^\n\r]*)/y;

/** Length of the comments that begin on the line that a declaration ends on. */
function trailingLength(gap: string): number {
  comment.lastIndex = 0;
  let length = 0;
  while (comment.test(gap)) length = comment.lastIndex;
  return length;
}

/** Everything up to the opening brace, with the scenario in place of the file. */
function headerOf(environment: Environment, scenario: string): string {
  const text = sourceOf(environment);
  const base = baseSpan(environment);
  return `${text.slice(0, base.start)}${scenario}${text.slice(base.end, bodyStart(environment))}`;
}

/** Just after the opening brace: the first one behind the file's name that is in no comment. */
function bodyStart(environment: Environment): number {
  const text = sourceOf(environment);
  const from = baseSpan(environment).end;
  const brace = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n\r]*)*\{/y;
  brace.lastIndex = from;
  return brace.test(text) ? brace.lastIndex : from;
}

function baseSpan(environment: Environment): { start: number; end: number } {
  const property = environment.base === undefined ? 'scenario' : 'base';
  const part = GrammarUtils.findNodeForProperty(environment.$cstNode, property);
  if (part === undefined) throw new RangeError('the environment has no place in the text');
  return { start: part.offset, end: part.end };
}

function sourceOf(node: AstNode): string {
  return node.$cstNode?.root.fullText ?? '';
}

function spanOf(node: AstNode): { start: number; end: number } {
  if (node.$cstNode === undefined) throw new RangeError('the declaration has no place in the text');
  return { start: node.$cstNode.offset, end: node.$cstNode.end };
}
