import type { Diagnostic } from '../../../shared/contract/edl.ts';
import type { Declaration, Environment } from '../generated/ast.ts';
import { LineIndex } from '../line-index.ts';
import { firstOf, maxSyntaxErrors, type ParsedText, parseText, refuseText } from '../parse.ts';
import { moveRange, type Placement, place } from './placement.ts';
import { splitDeclarations, type TextPiece } from './split.ts';

/** A piece as it was parsed, inside an environment of its own. */
interface ParsedPiece {
  readonly declarations: readonly Declaration[];
  /** Ranges as the piece counts. */
  readonly diagnostics: readonly Diagnostic[];
}

const opening = 'environment a extends b {';

/**
 * Parses the versions of one text, each piece between two declarations once: a version that differs in one
 * declaration costs a scan and that declaration. The nodes of unchanged pieces are the same objects as before, so a
 * tree is good until the next call. Ranges of its nodes are to be read through `rangeOf`.
 */
export class IncrementalParser {
  #pieces = new Map<string, ParsedPiece[]>();
  #header: { readonly text: string; readonly ast: Environment } | null = null;
  #numParsed = 0;

  /** Pieces that the last call had to parse; a text that cannot be cut is one. */
  get numParsed(): number {
    return this.#numParsed;
  }

  /**
   * As `parseText`. `checkpoint` is called before each piece is parsed and may throw to give up; what was parsed
   * by then is kept.
   */
  parse(text: string, checkpoint: () => void = () => undefined): ParsedText {
    this.#numParsed = 0;
    const refused = refuseText(text);
    if (refused !== null) return { ast: null, diagnostics: [refused] };
    const split = splitDeclarations(text);
    const header = split.isSound ? this.#parseHeader(text.slice(0, split.headerEnd)) : null;
    if (header === null) {
      this.#numParsed = 1;
      return parseText(text);
    }
    const parsed = this.#parsePieces(text, split.pieces, checkpoint);
    return assemble(text, header, split.pieces, parsed);
  }

  /** The environment without declarations; null where its first line does not read. */
  #parseHeader(text: string): Environment | null {
    if (this.#header?.text === text) return this.#header.ast;
    const { ast, diagnostics } = parseText(`${text}}`);
    this.#header = ast === null || diagnostics.length > 0 ? null : { text, ast };
    return this.#header?.ast ?? null;
  }

  #parsePieces(text: string, pieces: readonly TextPiece[], checkpoint: () => void): ParsedPiece[] {
    const earlier = this.#pieces;
    const kept = new Map<string, ParsedPiece[]>();
    try {
      return pieces.map(({ start, end }) => {
        const own = text.slice(start, end);
        const parsed = earlier.get(own)?.pop() ?? this.#parsePiece(own, checkpoint);
        // The same text twice is two pieces: a tree stands in one place only.
        const same = kept.get(own);
        if (same === undefined) kept.set(own, [parsed]);
        else same.push(parsed);
        return parsed;
      });
    } catch (thrown) {
      for (const [own, rest] of earlier) kept.set(own, [...(kept.get(own) ?? []), ...rest]);
      throw thrown;
    } finally {
      this.#pieces = kept;
    }
  }

  #parsePiece(own: string, checkpoint: () => void): ParsedPiece {
    checkpoint();
    this.#numParsed++;
    const { ast, diagnostics } = parseText(`${opening}${own}\n}`);
    return { declarations: ast?.declarations ?? [], diagnostics };
  }
}

function assemble(
  text: string,
  header: Environment,
  pieces: readonly TextPiece[],
  parsed: readonly ParsedPiece[],
): ParsedText {
  const lines = new LineIndex(text);
  const declarations: Declaration[] = [];
  const diagnostics: Diagnostic[] = [];
  parsed.forEach((piece, i) => {
    const { line, character } = lines.position(pieces[i]?.start ?? 0);
    const placement: Placement = { line, shift: character - opening.length };
    for (const diagnostic of piece.diagnostics)
      diagnostics.push({ ...diagnostic, range: moveRange(diagnostic.range, placement) });
    for (const node of piece.declarations) {
      if (node.$cstNode !== undefined) place(node.$cstNode.root, placement);
      Object.assign(node, { $container: header, $containerIndex: declarations.length });
      declarations.push(node);
    }
  });
  header.declarations = declarations;
  return { ast: header, diagnostics: firstOf(diagnostics, maxSyntaxErrors) };
}
