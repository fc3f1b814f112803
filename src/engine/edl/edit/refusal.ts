import type { Diagnostic } from '../../../shared/contract/edl.ts';
import { targetOf } from '../declarations/registry.ts';
import type { DiagnosticCode } from '../diagnostic-codes.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { makeDiagnostic, rangeOf } from '../reporter.ts';
import { hintFor, suggestNames } from '../suggest.ts';
import type { SourceRange } from '../types.ts';

/** Why a change cannot be made. */
export interface Refusal {
  readonly refused: Diagnostic;
}

/** Where there is no better place to point at. */
export const textStart: SourceRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

export function refuse(
  code: DiagnosticCode,
  range: SourceRange,
  message: string,
  suggestions: string[] = [],
): Refusal {
  return { refused: makeDiagnostic(code, range, message, suggestions) };
}

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}

export function refuseExisting(existing: Declaration | undefined, target: string): Refusal | null {
  if (existing === undefined) return null;
  return refuse('EDL602', rangeOf({ node: existing }), `'${target}' is there already: modify it instead`);
}

export function refuseMissing(
  ast: Environment,
  existing: Declaration | undefined,
  target: string,
): Refusal | null {
  if (existing !== undefined) return null;
  const known = ast.declarations.map(targetOf);
  const suggestions = suggestNames(target, known);
  const elsewhere =
    ast.base === undefined || suggestions.length > 0 ? '' : `; what '${ast.base}' declares is changed there`;
  return refuse(
    'EDL601',
    textStart,
    `the text has no '${target}'${hintFor(suggestions, known)}${elsewhere}`,
    suggestions,
  );
}
