import { internalDiagnostic } from '../check-text.ts';
import { parseText } from '../parse.ts';
import { splitTokens } from '../tokens.ts';
import type { TextResult } from '../types.ts';
import { type Comment, readTrivia, type Trivia } from './comments.ts';
import { type Layout, layoutOf } from './layout.ts';
import { isSpaceBetween } from './spacing.ts';

const indentText = '  ';

/**
 * The canonical layout of a text, comments kept; formatting it again changes nothing.
 * A text that does not parse is given back as its diagnostics. Throws: never.
 */
export function format(text: string): TextResult {
  try {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const normal = text.replaceAll('\r\n', '\n');
    const parsed = parseText(normal);
    if (parsed.ast === null || parsed.diagnostics.length > 0) return { diagnostics: parsed.diagnostics };
    return { text: new Printer(layoutOf(parsed.ast)).print(normal).replaceAll('\n', eol) };
  } catch (thrown) {
    return { diagnostics: [internalDiagnostic(thrown)] };
  }
}

/** Prints tokens one after the other, deciding before each whether a line ends. */
class Printer {
  readonly #layout: Layout;
  readonly #lines: string[] = [];
  #line = '';
  #depth = 0;
  /** The last tokens printed, as many as spacing looks back at. */
  #before: readonly string[] = [];
  /** A line comment ended the line: whatever comes next must begin another. */
  #mustBreak = false;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  print(text: string): string {
    const { pieces, tail } = splitTokens(text);
    let offset = 0;
    for (const piece of pieces) {
      offset += piece.trivia.length;
      this.#printPiece(piece.text, readTrivia(piece.trivia, this.#before.length === 0), offset);
      offset += piece.text.length;
    }
    this.#printTail(readTrivia(tail, this.#before.length === 0));
    return `${[...this.#lines, this.#line].join('\n').trimEnd()}\n`;
  }

  #printPiece(token: string, trivia: Trivia, offset: number): void {
    const isBreak = this.#layout.breaks.has(offset);
    const isBlank = this.#layout.blanks.has(offset);
    const isClosing = token === '}';
    const indent = isBreak || this.#before.length === 0 ? this.#depth : this.#depth + 1;
    const isOwnLine = this.#printComments(trivia.comments, indent, isBlank);
    if (isClosing) this.#depth--;
    if (isBreak || this.#mustBreak || isOwnLine) {
      const wantsBlank = isOwnLine ? trivia.isBlankAfter : isBlank || trivia.isBlankAfter;
      this.#newLine(isClosing ? this.#depth : indent, wantsBlank && !isClosing && isBreak);
    } else if (this.#line !== '') {
      const isSpaced = trivia.comments.length > 0 || isSpaceBetween(this.#before, token);
      this.#line += isSpaced ? ' ' : '';
    }
    this.#line += token;
    this.#mustBreak = false;
    this.#before = [...this.#before.slice(-2), token];
    if (token === '{') this.#depth++;
  }

  /** True where the last comment stands on a line of its own. */
  #printComments(comments: readonly Comment[], indent: number, isBlankWanted: boolean): boolean {
    let isOwnLine = false;
    comments.forEach((comment, i) => {
      if (comment.isTrailing && !this.#mustBreak) {
        this.#line += `${this.#line === '' ? '' : ' '}${comment.text}`;
      } else {
        const isFirstOwn = !comments.slice(0, i).some((earlier) => !earlier.isTrailing);
        this.#newLine(indent, comment.isBlankBefore || (isBlankWanted && isFirstOwn));
        this.#line += comment.text;
        isOwnLine = true;
      }
      this.#mustBreak = comment.isLineComment;
    });
    return isOwnLine;
  }

  #printTail(trivia: Trivia): void {
    this.#printComments(trivia.comments, 0, false);
  }

  #newLine(depth: number, isBlank: boolean): void {
    if (this.#before.length === 0 && this.#lines.length === 0 && this.#line === '') return;
    const isAfterBrace = this.#line.endsWith('{');
    this.#lines.push(this.#line);
    if (isBlank && !isAfterBrace) this.#lines.push('');
    this.#line = indentText.repeat(Math.max(0, depth));
    this.#mustBreak = false;
  }
}
