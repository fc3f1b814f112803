import type { Diagnostic } from '../../shared/contract/edl.ts';
import { type ElaboratedEnvironment, elaborateEnvironment } from './elaborate/environment.ts';
import { type ResolvedEnvironment, resolveExtends } from './extends/resolve.ts';
import { nestingMessage, type ParsedText, parseText } from './parse.ts';
import { makeDiagnostic, Reporter } from './reporter.ts';
import type { EdlHost } from './types.ts';

/** A text that was read and checked, with what it extends; complete only where nothing was reported as an error. */
export interface CheckedText {
  readonly resolved: ResolvedEnvironment;
  readonly elaborated: ElaboratedEnvironment;
}

export interface CheckResult {
  /** Collects what is found later too. */
  readonly reporter: Reporter;
  /** Null where the text does not parse, or what it extends is not to be had. */
  readonly checked: CheckedText | null;
}

/** Reads and checks a text. `path` is the file it stands in, from which `extends "…"` is looked up. */
export function checkText(text: string, host: EdlHost, path?: string): CheckResult {
  return checkParsed(parseText(text), host, path);
}

/**
 * As checkText, of a text that was read already. `checkpoint` is called between declarations; what it throws ends the work.
 */
export function checkParsed(
  parsed: ParsedText,
  host: EdlHost,
  path?: string,
  checkpoint?: () => void,
): CheckResult {
  const reporter = new Reporter();
  for (const diagnostic of parsed.diagnostics) reporter.add(diagnostic);
  if (parsed.ast === null || parsed.diagnostics.length > 0) return { reporter, checked: null };
  const resolved = resolveExtends(parsed.ast, host, reporter, path);
  if (resolved === null) return { reporter, checked: null };
  const elaborated = elaborateEnvironment(resolved, host, reporter, { checkpoint });
  return { reporter, checked: elaborated === null ? null : { resolved, elaborated } };
}

/** What a failure of the checker looks like to the author of a text; one that only ran out of stack is its nesting. */
export function internalDiagnostic(thrown: unknown): Diagnostic {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  if (thrown instanceof RangeError && reason.includes('call stack'))
    return makeDiagnostic('EDL104', range, nestingMessage);
  return makeDiagnostic('EDL199', range, `the checker failed on this text: ${reason}`);
}
