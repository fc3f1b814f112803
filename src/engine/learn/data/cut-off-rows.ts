/** Last observations of episodes that ran out of time, to be valued together after the rollout. Grows as needed. */
export class CutOffRows {
  readonly #width: number;
  #obs: Float32Array;
  #indices: Uint32Array;
  #count = 0;

  /** width: numbers per observation; capacity: rows to start with. */
  constructor(width: number, capacity: number) {
    this.#width = width;
    this.#obs = new Float32Array(width * capacity);
    this.#indices = new Uint32Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Keeps source[offset..offset+width), to be valued for entry `index` of the rollout. */
  push(index: number, source: Float32Array, offset: number): void {
    if (this.#count === this.#indices.length) this.#grow();
    const to = this.#count * this.#width;
    for (let k = 0; k < this.#width; k++) this.#obs[to + k] = source[offset + k] as number;
    this.#indices[this.#count++] = index;
  }

  indexOf(row: number): number {
    return this.#indices[row] as number;
  }

  /** Copies rows start..start+count into `target`, whose rows are one wider (they end with a 1). */
  copyTo(target: Float32Array, start: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const from = (start + i) * this.#width;
      const to = i * (this.#width + 1);
      for (let k = 0; k < this.#width; k++) target[to + k] = this.#obs[from + k] as number;
    }
  }

  #grow(): void {
    const obs = new Float32Array(this.#obs.length * 2);
    const indices = new Uint32Array(this.#indices.length * 2);
    obs.set(this.#obs);
    indices.set(this.#indices);
    this.#obs = obs;
    this.#indices = indices;
  }
}
