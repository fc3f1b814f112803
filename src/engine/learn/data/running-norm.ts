/** Mean and variance per column of all rows seen so far; what they are used on is kept within ±`limit` deviations. */
const limit = 10;
/** Columns that hardly vary are not blown up. */
const varianceFloor = 1e-4;

/**
 * Running normalisation of vectors. Source: Welford 1962, in the form of Chan, Golub and LeVeque 1983 for one row at a time.
 */
export class RunningNorm {
  readonly width: number;
  /** count, means [K], sums of squared deviations [K]: all that a checkpoint needs. */
  readonly state: Float64Array;
  readonly #deviations: Float64Array;

  constructor(width: number) {
    this.width = width;
    this.state = new Float64Array(1 + 2 * width);
    this.#deviations = new Float64Array(width);
  }

  get count(): number {
    return this.state[0] as number;
  }

  /** Takes in the row values[from..from+K). */
  add(values: Float32Array, from = 0): void {
    const { state, width } = this;
    const count = (state[0] as number) + 1;
    state[0] = count;
    for (let k = 0; k < width; k++) {
      const value = values[from + k] as number;
      const before = value - (state[1 + k] as number);
      const mean = (state[1 + k] as number) + before / count;
      state[1 + k] = mean;
      state[1 + width + k] = (state[1 + width + k] as number) + before * (value - mean);
    }
  }

  mean(column: number): number {
    return this.state[1 + column] as number;
  }

  /** Population variance; 1 while nothing was seen. */
  variance(column: number): number {
    return this.count === 0 ? 1 : (this.state[1 + this.width + column] as number) / this.count;
  }

  /** Writes `count` normalised rows of values[from..] to rows of `stride` numbers, target[to..]. */
  apply(
    values: Float32Array,
    from: number,
    target: Float32Array,
    to: number,
    count = 1,
    stride = this.width,
  ): void {
    const { state, width } = this;
    const deviations = this.#deviations;
    const seen = Math.max(state[0] as number, 1);
    for (let k = 0; k < width; k++) {
      deviations[k] = Math.sqrt(Math.max((state[1 + width + k] as number) / seen, varianceFloor));
    }
    for (let row = 0; row < count; row++) {
      const source = from + row * width;
      const place = to + row * stride;
      for (let k = 0; k < width; k++) {
        const value = ((values[source + k] as number) - (state[1 + k] as number)) / (deviations[k] as number);
        target[place + k] = Math.min(Math.max(value, -limit), limit);
      }
    }
  }
}
