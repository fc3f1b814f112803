import {
  type AstNode,
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
  type LangiumCoreServices,
  type ParseResult,
} from 'langium';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import { BlockEnds } from './block-ends.ts';
import { createEdlParser } from './edl-parser.ts';
import type { Environment } from './generated/ast.ts';
import { EdlGeneratedModule, EdlGeneratedSharedModule } from './generated/module.ts';
import { innermostError } from './inner-error.ts';
import { lexicalDiagnostics, wordAround } from './lexical-message.ts';
import { LineIndex } from './line-index.ts';
import { makeDiagnostic } from './reporter.ts';
import { describeSyntaxError } from './syntax-message.ts';

/** Longest text that is read, in UTF-16 units: far above what people write, and checked within a second. */
export const maxTextLength = 250_000;
/** Longest declaration: what the parser spends on one grows with the square of its length. */
const maxDeclarationLength = 20_000;
/** Deepest nesting of brackets, aggregates and negations. */
export const maxNesting = 40;
/** Most `sum over x in y of` in one declaration: each is a level to the parser, whose stack holds some 400. */
const maxAggregates = 150;
/** Most syntax errors that are told of one text. */
export const maxSyntaxErrors = 20;

export interface ParsedText<T extends AstNode = Environment> {
  /** Complete only where `diagnostics` is empty. */
  readonly ast: T | null;
  readonly diagnostics: Diagnostic[];
}

let services: LangiumCoreServices | undefined;

function languageServices(): LangiumCoreServices {
  if (services === undefined) {
    const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), EdlGeneratedSharedModule);
    services = inject(createDefaultCoreModule({ shared }), EdlGeneratedModule, {
      parser: { LangiumParser: createEdlParser },
    });
    shared.ServiceRegistry.register(services);
  }
  return services;
}

/**
 * Reads a whole environment, or with `rule` one part of the grammar ("Declaration").
 * Throws: never; what cannot be read is a diagnostic, and then `ast` may be incomplete.
 */
export function parseText<T extends AstNode = Environment>(text: string, rule?: string): ParsedText<T> {
  const refused = refuseText(text);
  if (refused !== null) return { ast: null, diagnostics: [refused] };
  let result: ParseResult<T>;
  try {
    result = languageServices().parser.LangiumParser.parse<T>(text, rule === undefined ? {} : { rule });
  } catch (thrown) {
    // A parser that was left half-way keeps its stacks: the next text gets a new one.
    services = undefined;
    if (!(thrown instanceof RangeError)) throw thrown;
    const range = new LineIndex(text).range(0, text.length);
    return { ast: null, diagnostics: [makeDiagnostic('EDL104', range, nestingMessage)] };
  }
  return { ast: result.value, diagnostics: syntaxDiagnostics(text, result) };
}

export const nestingMessage = `nested too deeply: at most ${maxNesting} levels are read`;

/** What is refused before it is parsed: too long, too deep. Null: none of that. */
export function refuseText(text: string): Diagnostic | null {
  if (text.length > maxTextLength) {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const message = `the text has ${text.length} characters; at most ${maxTextLength} are read`;
    return makeDiagnostic('EDL101', range, message);
  }
  return scanBrackets(text);
}

const markers = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|"(?:\\.|[^"\\\n\r])*"|[(){}]|\bof\b/g;

/** Refuses too deep brackets and too long blocks: the parser recurses, so this is looked at before it runs. */
function scanBrackets(text: string): Diagnostic | null {
  let depth = 0;
  let blockStart = 0;
  let aggregates = 0;
  for (const match of text.matchAll(markers)) {
    const [bracket] = match;
    const at = match.index;
    if (bracket === '(' || bracket === '{') depth++;
    if (bracket === '{' && depth <= 2) [blockStart, aggregates] = [at, 0];
    if (bracket === 'of') aggregates++;
    if (depth > maxNesting || aggregates > maxAggregates)
      return makeDiagnostic('EDL104', new LineIndex(text).range(at, at + 1), nestingMessage);
    if (bracket === ')' || bracket === '}') {
      if (depth === 2 && at - blockStart > maxDeclarationLength) return refuseLongBlock(text, blockStart, at);
      depth = Math.max(0, depth - 1);
    }
  }
  return depth >= 2 && text.length - blockStart > maxDeclarationLength
    ? refuseLongBlock(text, blockStart, text.length)
    : null;
}

function refuseLongBlock(text: string, start: number, end: number): Diagnostic {
  const message = `a declaration of ${end - start} characters; at most ${maxDeclarationLength} are read`;
  return makeDiagnostic('EDL101', new LineIndex(text).range(start, start + 1), message);
}

function syntaxDiagnostics(text: string, result: ParseResult): Diagnostic[] {
  if (result.lexerErrors.length === 0 && result.parserErrors.length === 0) return [];
  const lines = new LineIndex(text);
  const found: Diagnostic[] = lexicalDiagnostics(text, lines, result.lexerErrors);
  if (found.length > maxSyntaxErrors) return firstOf(found, maxSyntaxErrors);
  const ends = new BlockEnds(text, markers);
  // Within a declaration whose reading failed, and where reading gave up, further errors are only its echo.
  const misread = result.lexerErrors.map(({ offset }) => {
    return [wordAround(text, offset).start, ends.after(endOfLine(text, offset))] as const;
  });
  let silentUntil = -1;
  for (const outer of result.parserErrors) {
    const error = innermostError(text, outer, ends.after(outer.token.startOffset) + 1, readPart);
    const isEcho = (silentUntil >= 0 || misread.length > 0) && error.name === 'NotAllInputParsedException';
    const { startOffset } = error.token;
    const at = Number.isNaN(startOffset) ? text.length : startOffset;
    if (isEcho || at < silentUntil || misread.some(([from, to]) => at >= from && at <= to)) continue;
    if (found.length > maxSyntaxErrors) break;
    const { code, message, suggestions, start, end } = describeSyntaxError(text, error);
    if (start < silentUntil && start !== at) continue;
    found.push(makeDiagnostic(code, lines.range(start, end), message, suggestions));
    silentUntil = ends.after(at);
  }
  return firstOf(found, maxSyntaxErrors);
}

function readPart(text: string, rule: string): ParseResult['parserErrors'] {
  return languageServices().parser.LangiumParser.parse(text, { rule }).parserErrors;
}

/** At most so many diagnostics; where there are more, the last one says so. */
export function firstOf(diagnostics: readonly Diagnostic[], most: number): Diagnostic[] {
  const kept = diagnostics.slice(0, most);
  const last = kept.at(-1);
  if (diagnostics.length <= most || last === undefined) return kept;
  return [...kept.slice(0, -1), { ...last, message: `${last.message} (what follows is not told)` }];
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}
