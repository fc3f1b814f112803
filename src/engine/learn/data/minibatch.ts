import { type OrtTensor, wrap } from '../graph/session.ts';
import { illegalLogit } from '../nn/categorical.ts';
import type { RolloutBuffer } from './rollout-buffer.ts';

/**
 * The rows of one gradient step, gathered from a rollout into arrays that the training session reads in place.
 * B rows; what is not filled is padded with earlier rows of weight 0.
 */
export class Minibatch {
  readonly size: number;
  /** Feeds of the training graph by input name. */
  readonly feeds: Readonly<Record<string, OrtTensor>>;
  readonly #obs: Float32Array;
  readonly #logitBias: Float32Array;
  readonly #actions: Int32Array;
  readonly #logProbs: Float32Array;
  readonly #advantages: Float32Array;
  readonly #returns: Float32Array;
  readonly #weights: Float32Array;

  constructor(size: number, obsDim: number, numActions: number) {
    this.size = size;
    this.#obs = new Float32Array(size * (obsDim + 1)).fill(1);
    this.#logitBias = new Float32Array(size * numActions);
    this.#actions = new Int32Array(size);
    this.#logProbs = new Float32Array(size);
    this.#advantages = new Float32Array(size);
    this.#returns = new Float32Array(size);
    this.#weights = new Float32Array(size);
    this.feeds = {
      obs: wrap(this.#obs, [size, obsDim + 1]),
      logitBias: wrap(this.#logitBias, [numActions, size]),
      actions: wrap(this.#actions, [1, size]),
      logProbs: wrap(this.#logProbs, [1, size]),
      advantages: wrap(this.#advantages, [1, size]),
      returns: wrap(this.#returns, [1, size]),
      weights: wrap(this.#weights, [1, size]),
    };
  }

  /**
   * Gathers rows order[start..start+count) of the rollout. Returns of the rollout are brought to the critic's units,
   * (x - returnMean) / returnDeviation; with normAdv the advantages of the minibatch get mean 0 and deviation 1.
   */
  fill(
    buffer: RolloutBuffer,
    order: Uint32Array,
    start: number,
    scale: { readonly returnMean: number; readonly returnDeviation: number; readonly normAdv: boolean },
  ): void {
    const count = Math.min(this.size, order.length - start);
    const width = buffer.view.obsDim + 1;
    const { returnMean, returnDeviation } = scale;
    // Gathered array by array: one random stream of reads at a time is kinder to the cache than five.
    const { obs } = buffer;
    const target = this.#obs;
    for (let i = 0, to = 0; i < count; i++, to += width) {
      const from = (order[start + i] as number) * width;
      for (let k = 0; k < width - 1; k++) target[to + k] = obs[from + k] as number;
    }
    gather(buffer.actions, order, start, count, this.#actions);
    gather(buffer.logProbs, order, start, count, this.#logProbs);
    gather(buffer.advantages, order, start, count, this.#advantages);
    gather(buffer.returns, order, start, count, this.#returns);
    for (let i = 0; i < count; i++) {
      this.#returns[i] = ((this.#returns[i] as number) - returnMean) / returnDeviation;
    }
    this.#fillMasks(buffer, order, start, count);
    this.#weights.fill(1 / count, 0, count).fill(0, count);
    if (scale.normAdv) normalise(this.#advantages.subarray(0, count));
  }

  #fillMasks(buffer: RolloutBuffer, order: Uint32Array, start: number, count: number): void {
    this.#logitBias.fill(0);
    if (!buffer.hasIllegal) return;
    const { numActions } = buffer.view;
    for (let i = 0; i < count; i++) {
      const from = (order[start + i] as number) * numActions;
      for (let k = 0; k < numActions; k++) {
        if (buffer.availActions[from + k] === 0) this.#logitBias[k * this.size + i] = illegalLogit;
      }
    }
  }
}

/** target[i] = source[order[start + i]]. */
function gather<T extends Float32Array | Int32Array>(
  source: T,
  order: Uint32Array,
  start: number,
  count: number,
  target: T,
): void {
  for (let i = 0; i < count; i++) target[i] = source[order[start + i] as number] as number;
}

/** Mean 0 and deviation 1 (with 1e-8 added, as in CleanRL), in place. */
function normalise(values: Float32Array): void {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  const deviation = Math.sqrt(Math.max(squares / values.length - mean * mean, 0)) + 1e-8;
  for (let i = 0; i < values.length; i++) values[i] = ((values[i] as number) - mean) / deviation;
}
