import { type AstNode, type CstNode, GrammarUtils } from 'langium';
import type { Diagnostic } from '../../shared/contract/edl.ts';
import { type DiagnosticCode, diagnosticCodes } from './diagnostic-codes.ts';
import { placedRange } from './incremental/placement.ts';
import { hintFor, suggestNames } from './suggest.ts';
import type { SourceRange } from './types.ts';

const maxDiagnostics = 100;
const nowhere: SourceRange = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** A node, or one property of it ("name"), or what is from one property through another, that a diagnostic points at. */
export interface Place {
  readonly node: AstNode;
  readonly property?: string;
  readonly through?: string;
}

/** The text of a node, or of one property of it: from its first part to its last, as a dotted name has several. */
export function rangeOf(place: Place): SourceRange {
  const whole: CstNode | undefined = place.node.$cstNode;
  const parts = place.property === undefined ? [] : GrammarUtils.findNodesForProperty(whole, place.property);
  const [first = whole] = parts;
  const ends = place.through === undefined ? [] : GrammarUtils.findNodesForProperty(whole, place.through);
  const last = ends.at(-1) ?? parts.at(-1) ?? first;
  if (first === undefined || last === undefined) return nowhere;
  return { start: placedRange(first).start, end: placedRange(last).end };
}

/** The node that holds all others; nodes made up while reading are placed by the text they stand for. */
function rootOf(node: AstNode): AstNode {
  let root = node.$container === undefined ? (node.$cstNode?.astNode ?? node) : node;
  while (root.$container !== undefined) root = root.$container;
  return root;
}

export function makeDiagnostic(
  code: DiagnosticCode,
  range: SourceRange,
  message: string,
  suggestions: readonly string[] = [],
): Diagnostic {
  return { code, severity: diagnosticCodes[code].severity, message, range, suggestions: [...suggestions] };
}

/** Collects the diagnostics of one text; after a hundred it only counts, except that errors take the place of the rest. */
export class Reporter {
  readonly diagnostics: Diagnostic[] = [];
  #errors = 0;
  #untold = 0;
  readonly #foreign = new Map<AstNode, { readonly file: string; readonly place: Place }>();

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** In the order of the text. Where there were more than are kept, the last one says so. */
  sorted(): Diagnostic[] {
    const found = this.diagnostics.toSorted(
      (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
    );
    const last = found.at(-1);
    if (this.#untold === 0 || last === undefined) return found;
    const message = `${last.message} (${this.#untold} more are not told)`;
    return [...found.slice(0, -1), { ...last, message }];
  }

  get errorCount(): number {
    return this.#errors;
  }

  /**
   * Declares that a tree stands in another file: its errors are reported at `place` of this text and name the file,
   * its warnings and hints are left to a check of that file.
   */
  markForeign(root: AstNode, file: string, place: Place): void {
    this.#foreign.set(root, { file, place });
  }

  report(code: DiagnosticCode, place: Place, message: string, suggestions: readonly string[] = []): void {
    const foreign = this.#foreign.size === 0 ? undefined : this.#foreign.get(rootOf(place.node));
    if (foreign !== undefined) {
      if (diagnosticCodes[code].severity !== 'error') return;
      const { line, character } = rangeOf(place).start;
      const where = `${foreign.file}:${line + 1}:${character + 1}`;
      this.add(makeDiagnostic('EDL224', rangeOf(foreign.place), `${where}: ${message} (${code})`));
      return;
    }
    const isError = diagnosticCodes[code].severity === 'error';
    const isTold = this.#hasRoom || (isError && this.#errors < maxDiagnostics);
    this.add(makeDiagnostic(code, isTold ? rangeOf(place) : nowhere, message, suggestions));
  }

  /** An unknown name, with the nearest known ones. */
  reportUnknown(
    code: DiagnosticCode,
    place: Place,
    what: string,
    name: string,
    known: Iterable<string>,
  ): void {
    const names = this.#hasRoom ? [...known] : [];
    const suggestions = suggestNames(name, names);
    const hint = this.#hasRoom && names.length === 0 ? '; there is none here' : hintFor(suggestions, names);
    this.report(code, place, `unknown ${what} '${name}'${hint}`, suggestions);
  }

  add(diagnostic: Diagnostic): void {
    const isError = diagnostic.severity === 'error';
    if (isError) this.#errors++;
    if (this.#hasRoom) {
      this.diagnostics.push(diagnostic);
      return;
    }
    this.#untold++;
    if (!isError || this.#errors > maxDiagnostics) return;
    const other = this.diagnostics.findLastIndex(({ severity }) => severity !== 'error');
    if (other >= 0) this.diagnostics.splice(other, 1, diagnostic);
  }

  /** Takes back what turned out not to be so. */
  takeBack(isWrong: (diagnostic: Diagnostic) => boolean): void {
    const kept = this.diagnostics.filter((diagnostic) => !isWrong(diagnostic));
    this.diagnostics.splice(0, this.diagnostics.length, ...kept);
  }

  get #hasRoom(): boolean {
    return this.diagnostics.length < maxDiagnostics;
  }
}
