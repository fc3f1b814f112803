/** Weight of the past per update of the running statistics. */
const decay = 0.99;
/** Floor of the variance, so that a constant return does not blow up the critic's units. */
const minVariance = 1e-2;

/**
 * Running mean and deviation of returns, by exponential averages whose start at zero is corrected for.
 * The critic works in normalised units; `denormalise` brings its output back before advantages are estimated.
 * Source: ValueNorm of Yu et al. 2022 (MAPPO). Differs: one update per rollout with decay 0.99, not one per minibatch.
 */
export class ValueNorm {
  /** [3] f64: averages of x and x², and the correction: the whole state. */
  readonly state = new Float64Array(3);

  update(returns: Float32Array): void {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < returns.length; i++) {
      const value = returns[i] as number;
      sum += value;
      squares += value * value;
    }
    const fresh = [sum / returns.length, squares / returns.length, 1];
    for (let i = 0; i < 3; i++) {
      this.state[i] = decay * (this.state[i] as number) + (1 - decay) * (fresh[i] as number);
    }
  }

  /** 0 before the first update. */
  get mean(): number {
    const [mean, , correction] = this.state as unknown as [number, number, number];
    return correction === 0 ? 0 : mean / correction;
  }

  /** 1 before the first update. */
  get deviation(): number {
    const [, square, correction] = this.state as unknown as [number, number, number];
    if (correction === 0) return 1;
    return Math.sqrt(Math.max(square / correction - this.mean ** 2, minVariance));
  }
}
