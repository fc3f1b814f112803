import { type AstNode, type CstNode, GrammarUtils } from 'langium';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.ts';
import { hintFor, suggestNames } from './suggest.ts';
import type { SourceRange } from './types.ts';

const maxDiagnostics = 100;
const nowhere: SourceRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** A node, or one property of it ("name"), that a diagnostic points at. */
export interface Place {
  readonly node: AstNode;
  readonly property?: string;
}

export function rangeOf(place: Place): SourceRange {
  const whole: CstNode | undefined = place.node.$cstNode;
  const part = place.property === undefined ? whole : GrammarUtils.findNodeForProperty(whole, place.property);
  return (part ?? whole)?.range ?? nowhere;
}

export function makeDiagnostic(
  code: DiagnosticCode,
  range: SourceRange,
  message: string,
  suggestions: readonly string[] = [],
): Diagnostic {
  return { code, severity: diagnosticCodes[code].severity, message, range, suggestions: [...suggestions] };
}

/** Collects the diagnostics of one text; after a hundred it counts on in silence. */
export class Reporter {
  readonly diagnostics: Diagnostic[] = [];
  #errors = 0;

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  get errorCount(): number {
    return this.#errors;
  }

  report(code: DiagnosticCode, place: Place, message: string, suggestions: readonly string[] = []): void {
    this.add(
      makeDiagnostic(
        code,
        this.diagnostics.length < maxDiagnostics ? rangeOf(place) : nowhere,
        message,
        suggestions,
      ),
    );
  }

  /** An unknown name, with the nearest known ones. */
  reportUnknown(
    code: DiagnosticCode,
    place: Place,
    what: string,
    name: string,
    known: Iterable<string>,
  ): void {
    const names = [...known];
    const suggestions = suggestNames(name, names);
    this.report(code, place, `unknown ${what} '${name}'${hintFor(suggestions, names)}`, suggestions);
  }

  add(diagnostic: Diagnostic): void {
    if (diagnostic.severity === 'error') this.#errors++;
    if (this.diagnostics.length < maxDiagnostics) this.diagnostics.push(diagnostic);
  }
}
