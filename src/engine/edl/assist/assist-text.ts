import { splitDeclarations } from '../incremental/split.ts';
import { LineIndex } from '../line-index.ts';
import type { DeclarationKindName, SourceRange } from '../types.ts';
import { grammarGraph } from './grammar-graph.ts';
import { type Frame, GrammarWalk, type Step } from './grammar-walk.ts';
import { type LexedText, lex, type Token } from './lexer.ts';

export type Position = SourceRange['start'];

/** A declaration as far as it is written. Offsets are those of the whole text. */
export interface DeclarationView {
  readonly keyword: DeclarationKindName;
  /** Empty where none is written. */
  readonly name: string;
  /** The tokens that spell the name: several for `set agent.accel`. */
  readonly nameTokens: readonly Token[];
  readonly doc: string;
  readonly start: number;
  readonly end: number;
  readonly steps: readonly Step[];
  readonly frame: Frame;
}

/** A piece of the text between declarations, read when it is asked for. */
export class PieceView {
  readonly start: number;
  readonly end: number;
  readonly #text: string;
  #lexed: LexedText | null = null;
  #steps: readonly Step[] | null = null;
  #declarations: readonly DeclarationView[] | null = null;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.start = start;
    this.end = end;
  }

  get lexed(): LexedText {
    this.#lexed ??= lex(this.#text, grammarGraph().keywords, this.start, this.end);
    return this.#lexed;
  }

  /** Every token with its role. */
  get steps(): readonly Step[] {
    this.#steps ??= insideEnvironment().after(this.lexed.tokens).steps().slice(numOpeningTokens);
    return this.#steps;
  }

  get declarations(): readonly DeclarationView[] {
    this.#declarations ??= viewDeclarations(this.steps);
    return this.#declarations;
  }
}

/** A text as the language services see it: complete or not, in pieces that are read when needed. */
export class AssistText {
  readonly text: string;
  readonly lines: LineIndex;
  /** `environment NAME extends SCENARIO {`, as far as it is written. */
  readonly header: readonly Step[];
  readonly headerEnd: number;
  readonly pieces: readonly PieceView[];

  constructor(text: string) {
    const { headerEnd, pieces } = splitDeclarations(text);
    this.text = text;
    this.lines = new LineIndex(text);
    this.headerEnd = headerEnd;
    const end = headerEnd > 0 ? headerEnd : (pieces[0]?.start ?? text.length);
    const { tokens } = lex(text, grammarGraph().keywords, 0, end);
    this.header = GrammarWalk.start('Environment').after(tokens).steps();
    this.pieces = pieces.map((piece) => new PieceView(text, piece.start, piece.end));
  }

  get declarations(): readonly DeclarationView[] {
    return this.pieces.flatMap((piece) => piece.declarations);
  }

  /** What fills a property of the first line: "name", "scenario", "base". */
  headerToken(feature: string): Token | null {
    return this.header.find((step) => step.role?.feature === feature)?.token ?? null;
  }

  offsetOf(position: Position): number {
    return this.lines.offset(position);
  }

  rangeOf(part: { readonly start: number; readonly end: number }): SourceRange {
    return this.lines.range(part.start, part.end);
  }

  /** The piece an offset is in or just behind; null in the first line and before the first piece. */
  pieceAt(offset: number): PieceView | null {
    return this.pieces.findLast((piece) => piece.start <= offset) ?? null;
  }

  /** The declaration around an offset; null outside of one. */
  declarationAt(offset: number): DeclarationView | null {
    const declarations = this.pieceAt(offset)?.declarations ?? [];
    return declarations.find(({ start, end }) => start <= offset && offset <= end) ?? null;
  }

  /** The token at an offset, a name that ends there included. */
  stepAt(offset: number): Step | null {
    const piece = this.pieceAt(offset);
    const steps = piece === null ? this.header : piece.steps;
    const touching = steps.filter(({ token }) => token.start <= offset && offset <= token.end);
    return touching.find(({ token }) => /^[A-Za-z0-9_"]/.test(token.text)) ?? touching[0] ?? null;
  }
}

const openingText = 'environment a extends b {';
const numOpeningTokens = 5;
let opening: GrammarWalk | null = null;

/** The walk at the place where declarations begin. */
export function insideEnvironment(): GrammarWalk {
  opening ??= GrammarWalk.start('Environment').after(lex(openingText, grammarGraph().keywords).tokens);
  return opening;
}

/** The frames around a place, innermost first. */
export function* framesOf(frame: Frame | null): Generator<Frame> {
  for (let at = frame; at !== null; at = at.parent) yield at;
}

function viewDeclarations(steps: readonly Step[]): DeclarationView[] {
  const groups: { frame: Frame; steps: Step[] }[] = [];
  for (const step of steps) {
    const frame = step.frame.declaration;
    const last = groups.at(-1);
    if (frame === null) continue;
    if (last?.frame === frame) last.steps.push(step);
    else groups.push({ frame, steps: [step] });
  }
  return groups.map(({ frame, steps: own }) => viewDeclaration(frame, own));
}

function viewDeclaration(frame: Frame, steps: readonly Step[]): DeclarationView {
  const ofFeature = (...features: string[]) =>
    steps.filter((step) => step.frame === frame && features.includes(step.role?.feature ?? ''));
  const keyword = steps[0]?.token.text ?? '';
  const nameTokens = ofFeature(...(nameFeatures[frame.rule.name] ?? ['name'])).map((step) => step.token);
  const doc = ofFeature('doc', 'text')[0]?.token.text ?? '';
  return {
    keyword: keyword as DeclarationKindName,
    name: nameTokens.map((token) => token.text).join('.'),
    nameTokens,
    doc: doc.replace(/^"|"$/g, ''),
    start: steps[0]?.token.start ?? 0,
    end: steps.at(-1)?.token.end ?? 0,
    steps,
    frame,
  };
}

/** Properties that hold the name of a declaration, where it is not `name`. */
const nameFeatures: Readonly<Record<string, readonly string[]>> = {
  Setting: ['path'],
  Capacity: ['set'],
  Without: ['kind', 'path'],
};
