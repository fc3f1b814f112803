/**
 * Last observations or states of episodes that ran out of time, to be valued together after the rollout, with the memory
 * the critic had then. Grows as needed.
 */
export class CutOffRows {
  readonly #width: number;
  readonly #hiddenWidth: number;
  #inputs: Float32Array;
  #hidden: Float32Array;
  #indices: Uint32Array;
  #count = 0;

  /** width: numbers per input; hiddenWidth: numbers of memory that go with one; capacity: entries to start with. */
  constructor(width: number, hiddenWidth: number, capacity: number) {
    this.#width = width;
    this.#hiddenWidth = hiddenWidth;
    this.#inputs = new Float32Array(width * capacity);
    this.#hidden = new Float32Array(hiddenWidth * capacity);
    this.#indices = new Uint32Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Makes room for an entry and gives its parts, to be filled in. */
  push(index: number): { readonly input: Float32Array; readonly hidden: Float32Array } {
    if (this.#count === this.#indices.length) this.#grow();
    const row = this.#count++;
    this.#indices[row] = index;
    return {
      input: this.#inputs.subarray(row * this.#width, (row + 1) * this.#width),
      hidden: this.hiddenOf(row),
    };
  }

  indexOf(row: number): number {
    return this.#indices[row] as number;
  }

  hiddenOf(row: number): Float32Array {
    return this.#hidden.subarray(row * this.#hiddenWidth, (row + 1) * this.#hiddenWidth);
  }

  /** Copies inputs start..start+count into `target`, whose rows are one wider (they end with a 1). */
  copyTo(target: Float32Array, start: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const from = (start + i) * this.#width;
      const to = i * (this.#width + 1);
      for (let k = 0; k < this.#width; k++) target[to + k] = this.#inputs[from + k] as number;
    }
  }

  #grow(): void {
    const inputs = new Float32Array(this.#inputs.length * 2);
    const hidden = new Float32Array(this.#hidden.length * 2);
    const indices = new Uint32Array(this.#indices.length * 2);
    inputs.set(this.#inputs);
    hidden.set(this.#hidden);
    indices.set(this.#indices);
    this.#inputs = inputs;
    this.#hidden = hidden;
    this.#indices = indices;
  }
}
