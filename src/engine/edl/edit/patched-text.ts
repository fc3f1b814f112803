import type { TextEdit } from '../types.ts';

/** A span of the original text, or text that was put in. */
type Piece = { readonly start: number; readonly end: number } | string;

/**
 * A text under edit. What was kept and what was put in are known at every moment, so that the edits it gives and the
 * text it gives can never differ.
 */
export class PatchedText {
  readonly #original: string;
  #pieces: Piece[];
  #text: string;

  constructor(original: string) {
    this.#original = original;
    this.#pieces = [{ start: 0, end: original.length }];
    this.#text = original;
  }

  get text(): string {
    return this.#text;
  }

  /** Makes the present text read `next`, touching only what lies between its common start and end. */
  become(next: string): void {
    const start = commonStart(this.#text, next);
    const tail = commonEnd(this.#text, next, start);
    const end = this.#text.length - tail;
    const inserted = next.slice(start, next.length - tail);
    this.#pieces = [...this.#cut(0, start), inserted, ...this.#cut(end, this.#text.length)];
    this.#text = next;
  }

  /** The edits that turn the original into the present text, in order, not touching each other. */
  edits(): TextEdit[] {
    const edits: TextEdit[] = [];
    let at = 0;
    let pending = '';
    const flush = (until: number): void => {
      const removed = this.#original.slice(at, until);
      if (removed !== pending) edits.push({ start: at, end: until, text: pending });
      pending = '';
    };
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') pending += piece;
      else if (piece.end > piece.start) {
        flush(piece.start);
        at = piece.end;
      }
    }
    flush(this.#original.length);
    return edits;
  }

  /** The pieces that make up a span of the present text. */
  #cut(from: number, to: number): Piece[] {
    const cut: Piece[] = [];
    let offset = 0;
    for (const piece of this.#pieces) {
      const length = typeof piece === 'string' ? piece.length : piece.end - piece.start;
      const start = Math.max(0, from - offset);
      const end = Math.min(length, to - offset);
      if (start < end) {
        cut.push(
          typeof piece === 'string'
            ? piece.slice(start, end)
            : { start: piece.start + start, end: piece.start + end },
        );
      }
      offset += length;
    }
    return cut;
  }
}

function commonStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function commonEnd(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < limit && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length++;
  return length;
}
