import type { SourceRange } from './types.ts';

/** As editors count lines: a carriage return alone ends one too. */
const lineEnd = /\r\n?|\n/g;

/** Offsets to zero-based lines and characters of one text. */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    for (const { 0: end, index } of text.matchAll(lineEnd)) this.#starts.push(index + end.length);
  }

  position(offset: number): SourceRange['start'] {
    const at = Math.max(0, Math.min(offset, this.#length));
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: at - (this.#starts[low] ?? 0) };
  }

  /** The offset of a position; one beyond its line is the end of the line. */
  offset({ line, character }: SourceRange['start']): number {
    const start = this.#starts[line];
    if (start === undefined) return line < 0 ? 0 : this.#length;
    const next = this.#starts[line + 1];
    return Math.min(start + Math.max(0, character), next === undefined ? this.#length : next - 1);
  }

  range(start: number, end: number): SourceRange {
    return { start: this.position(start), end: this.position(end) };
  }
}
