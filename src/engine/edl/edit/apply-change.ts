import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { internalDiagnostic } from '../check-text.ts';
import { compile } from '../compile.ts';
import { targetOf } from '../declarations/registry.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import { resolveExtends } from '../extends/resolve.ts';
import { format } from '../format/format.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { type ParsedText, parseText } from '../parse.ts';
import { makeDiagnostic, Reporter, rangeOf } from '../reporter.ts';
import { hintFor, suggestNames } from '../suggest.ts';
import type { ChangeOptions, ChangeResult, EdlChange, EdlHost, SourceRange } from '../types.ts';
import { parseTarget } from './target.ts';
import { addDeclaration, removeDeclaration, replaceDeclaration } from './text-edits.ts';

const start: SourceRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

/**
 * Applies one change to a text as the smallest edit of it: all outside the declaration stays byte for byte.
 * Refused where the target is missing or there already, `edl` is not exactly one declaration or another one, the
 * result has errors, or (for a coach) the manifest reserves it to a person.
 * Throws: never.
 */
export function applyChange(
  text: string,
  change: EdlChange,
  host: EdlHost,
  options: ChangeOptions = {},
): ChangeResult {
  try {
    return applyParsed(text, change, host, options);
  } catch (thrown) {
    return { refused: internalDiagnostic(thrown) };
  }
}

let lastBase: { readonly text: string; readonly parsed: ParsedText } | null = null;

/** Many changes are tried on one text, one after the other: it is read once. Nobody changes its tree. */
function parseBase(text: string): ParsedText {
  if (lastBase?.text !== text) lastBase = { text, parsed: parseText(text) };
  return lastBase.parsed;
}

function applyParsed(text: string, change: EdlChange, host: EdlHost, options: ChangeOptions): ChangeResult {
  const target = parseTarget(change.target);
  if (target === null)
    return refuse(
      'EDL606',
      start,
      `'${change.target.slice(0, 80)}' is no target: write "reward crowding", "set agent.accel"`,
    );
  const parsed = parseBase(text);
  const [problem] = parsed.diagnostics;
  if (problem !== undefined || parsed.ast === null)
    return refuse(
      'EDL605',
      problem?.range ?? start,
      `the text itself does not parse: ${problem?.message ?? ''}`,
    );
  const existing = parsed.ast.declarations.find((node) => targetOf(node) === target.target);
  const missing =
    change.op === 'add'
      ? refuseExisting(existing, target.target)
      : refuseMissing(parsed.ast, existing, target.target);
  if (missing !== null) return { refused: missing };
  const reserved =
    options.author === 'coach' ? refuseReserved(parsed.ast, target.target, host, options.path) : null;
  if (reserved !== null) return { refused: reserved };
  const edited = editText(text, parsed.ast, existing, change, target.target);
  return 'refused' in edited ? edited : refuseBroken(edited.text, host, options.path);
}

function editText(
  text: string,
  ast: Environment,
  existing: Declaration | undefined,
  change: EdlChange,
  target: string,
): { text: string } | { refused: Diagnostic } {
  if (change.op === 'remove') {
    if (change.edl.trim() !== '') return refuse('EDL603', start, 'a removal carries no declaration');
    return existing === undefined ? { text } : { text: removeDeclaration(text, existing) };
  }
  const declaration = readDeclaration(change.edl, target);
  if ('refused' in declaration) return declaration;
  if (change.op === 'add') return { text: addDeclaration(text, ast, declaration.text, target) };
  return existing === undefined ? { text } : { text: replaceDeclaration(text, existing, declaration.text) };
}

/** Exactly one declaration, and the one that the target names. */
function readDeclaration(edl: string, target: string): { text: string } | { refused: Diagnostic } {
  const parsed = parseText<Declaration>(edl, 'Declaration');
  const [problem] = parsed.diagnostics;
  if (problem !== undefined || parsed.ast === null) {
    return refuse(
      'EDL603',
      problem?.range ?? start,
      `the change is not exactly one declaration: ${problem?.message ?? ''}`,
    );
  }
  const named = targetOf(parsed.ast);
  if (named !== target)
    return refuse('EDL604', start, `the change declares '${named}', the target is '${target}'`);
  return { text: inCanonicalLayout(edl) };
}

/** Models write blocks on one line; people read the diff. */
function inCanonicalLayout(edl: string): string {
  const wrapped = format(`environment x extends y {\n${edl}\n}`);
  if (!('text' in wrapped)) return edl.trim();
  const lines = wrapped.text.trimEnd().split('\n').slice(1, -1);
  return lines.map((line) => line.replace(/^ {2}/, '')).join('\n');
}

function refuse(
  code: DiagnosticCode,
  range: SourceRange,
  message: string,
  suggestions: string[] = [],
): { refused: Diagnostic } {
  return { refused: makeDiagnostic(code, range, message, suggestions) };
}

function refuseExisting(existing: Declaration | undefined, target: string): Diagnostic | null {
  if (existing === undefined) return null;
  return makeDiagnostic(
    'EDL602',
    rangeOf({ node: existing }),
    `'${target}' is there already: modify it instead`,
  );
}

function refuseMissing(
  ast: Environment,
  existing: Declaration | undefined,
  target: string,
): Diagnostic | null {
  if (existing !== undefined) return null;
  const known = ast.declarations.map(targetOf);
  const suggestions = suggestNames(target, known);
  return makeDiagnostic(
    'EDL601',
    start,
    `the text has no '${target}'${hintFor(suggestions, known)}`,
    suggestions,
  );
}

/** The mission is a person's; topology, shapes and physics constants are parameters not open to a coach. */
function refuseReserved(
  ast: Environment,
  target: string,
  host: EdlHost,
  path: string | undefined,
): Diagnostic | null {
  if (target === 'mission')
    return makeDiagnostic('EDL607', start, 'the mission is reserved to a person: it says what is wanted');
  if (!target.startsWith('set ')) return null;
  const name = target.slice('set '.length);
  const scenario = resolveExtends(ast, host, new Reporter(), path)?.scenario ?? '';
  const parameter = host.manifest(scenario, {})?.parameters.find((candidate) => candidate.name === name);
  if (parameter === undefined || (parameter.coach && !parameter.structural)) return null;
  const reason = parameter.structural ? 'it changes shapes, which are fixed for a study' : parameter.doc;
  return makeDiagnostic('EDL607', start, `'${name}' is reserved to a person: ${reason}`);
}

function refuseBroken(text: string, host: EdlHost, path: string | undefined): ChangeResult {
  const { diagnostics, environment } = compile(text, host, path);
  if (environment !== null) return { text, environment };
  const error = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  if (error === undefined) return refuse('EDL605', start, 'the changed text does not compile');
  return refuse('EDL605', error.range, `${error.message} (${error.code})`, error.suggestions);
}
