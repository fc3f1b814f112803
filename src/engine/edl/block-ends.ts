/** Where blocks of a text end: read once, whatever is asked. */
export class BlockEnds {
  readonly #length: number;
  /** Offsets of braces, in order, and how deep the text is before and after each. */
  readonly #offsets: number[] = [];
  readonly #depths: number[] = [0];
  /** For each brace the next, or itself, after which the text is outside of declarations. */
  readonly #ends: number[] = [];

  constructor(text: string, markers: RegExp) {
    this.#length = text.length;
    let depth = 0;
    for (const { 0: marker, index } of text.matchAll(markers)) {
      if (marker !== '{' && marker !== '}') continue;
      depth += marker === '{' ? 1 : -1;
      this.#offsets.push(index);
      this.#depths.push(depth);
    }
    let end = text.length;
    for (let i = this.#offsets.length - 1; i >= 0; i--) {
      if ((this.#depths[i + 1] ?? 0) < 2) end = this.#offsets[i] ?? end;
      this.#ends[i] = end;
    }
  }

  /** Where the block of a declaration around `offset` ends; `offset` itself outside of one. */
  after(offset: number): number {
    let [low, high] = [0, this.#offsets.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#offsets[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return (this.#depths[low] ?? 0) < 2 ? offset : (this.#ends[low] ?? this.#length);
  }
}
