/** Draws numbers from a seed: the same seed always writes the same programs. */
export class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  /** True once in `n` draws. */
  once(n: number): boolean {
    return this.below(n) === 0;
  }
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }
  /** One of the items that a test lets pass; undefined where there is none. */
  pickWhere<T>(items: readonly T[], isWanted: (item: T) => boolean): T | undefined {
    const wanted = items.filter(isWanted);
    return wanted[this.below(wanted.length)];
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
}
