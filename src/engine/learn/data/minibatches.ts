import type { CounterRng } from '../../../shared/std/rng.ts';
import { shuffle } from '../../../shared/std/shuffle.ts';
import { type OrtTensor, wrap } from '../graph/session.ts';
import { illegalLogit } from '../nn/categorical.ts';
import type { RolloutBuffer } from './rollout-buffer.ts';

/** How the numbers of a rollout are brought into the units of the loss. */
export interface MinibatchScale {
  readonly returnMean: number;
  readonly returnDeviation: number;
  /** Advantages of each minibatch get mean 0 and deviation 1. */
  readonly normAdv: boolean;
}

/**
 * A rollout dealt out into K minibatches of B rows, which the training session reads in place; allocated once.
 * Rows are dealt, not gathered: one pass reads the rollout in order and appends each row to its minibatch, which is kinder
 * to the caches than fetching rows in random order. In what is missing to K·B rows weights are 0.
 */
export class Minibatches {
  /** Feeds of the training graph by input name, one per minibatch. */
  readonly feeds: readonly Readonly<Record<string, OrtTensor>>[];
  readonly #size: number;
  readonly #numRows: number;
  /** Minibatch of each row of the rollout. */
  readonly #labels: Uint16Array | Uint32Array;
  /** Rows dealt to each minibatch so far. */
  readonly #filled: Uint32Array;
  // [K,B,O+1], [K,N,B] and [K,B]
  readonly #obs: Float32Array;
  readonly #logitBias: Float32Array;
  readonly #actions: Int32Array;
  readonly #logProbs: Float32Array;
  readonly #advantages: Float32Array;
  readonly #returns: Float32Array;

  /** numRows: rows of the rollout; size: B. */
  constructor(numRows: number, size: number, obsDim: number, numActions: number) {
    const count = Math.ceil(numRows / size);
    const total = count * size;
    this.#size = size;
    this.#numRows = numRows;
    this.#labels = count < 2 ** 16 ? new Uint16Array(numRows) : new Uint32Array(numRows);
    this.#filled = new Uint32Array(count);
    this.#obs = new Float32Array(total * (obsDim + 1)).fill(1);
    this.#logitBias = new Float32Array(total * numActions);
    this.#actions = new Int32Array(total);
    this.#logProbs = new Float32Array(total);
    this.#advantages = new Float32Array(total);
    this.#returns = new Float32Array(total);
    const part = <T extends Float32Array | Int32Array>(
      array: T,
      m: number,
      shape: readonly [number, number],
    ) => wrap(array.subarray(m * shape[0] * shape[1], (m + 1) * shape[0] * shape[1]), shape);
    this.feeds = Array.from({ length: count }, (_, m) => ({
      obs: part(this.#obs, m, [size, obsDim + 1]),
      logitBias: part(this.#logitBias, m, [numActions, size]),
      actions: part(this.#actions, m, [1, size]),
      logProbs: part(this.#logProbs, m, [1, size]),
      advantages: part(this.#advantages, m, [1, size]),
      returns: part(this.#returns, m, [1, size]),
      weights: wrap(this.#weightsOf(m), [1, size]),
    }));
  }

  /** Deals the rollout anew. Seeds: one word of `rng` per row, less one. */
  deal(buffer: RolloutBuffer, rng: CounterRng, scale: MinibatchScale): void {
    for (let m = 0; m < this.feeds.length; m++) {
      this.#labels.fill(m, m * this.#size, (m + 1) * this.#size);
    }
    shuffle(this.#labels, rng);
    this.#filled.fill(0);
    this.#logitBias.fill(0);
    this.#dealRows(buffer, scale);
    if (!scale.normAdv) return;
    for (let m = 0; m < this.feeds.length; m++) {
      const start = m * this.#size;
      normalise(this.#advantages.subarray(start, start + (this.#filled[m] as number)));
    }
  }

  #dealRows(buffer: RolloutBuffer, { returnMean, returnDeviation }: MinibatchScale): void {
    const [labels, filled, size] = [this.#labels, this.#filled, this.#size];
    // The loop runs for every row of every pass: all arrays are locals, which V8 keeps in registers.
    const { obs, actions, logProbs, advantages, returns } = buffer;
    const toObs = this.#obs;
    const toActions = this.#actions;
    const toLogProbs = this.#logProbs;
    const toAdvantages = this.#advantages;
    const toReturns = this.#returns;
    const width = buffer.view.obsDim + 1;
    for (let i = 0; i < labels.length; i++) {
      const m = labels[i] as number;
      const slot = filled[m] as number;
      filled[m] = slot + 1;
      const row = m * size + slot;
      for (let k = 0; k < width; k++) toObs[row * width + k] = obs[i * width + k] as number;
      toActions[row] = actions[i] as number;
      toLogProbs[row] = logProbs[i] as number;
      toAdvantages[row] = advantages[i] as number;
      toReturns[row] = ((returns[i] as number) - returnMean) / returnDeviation;
      if (buffer.hasIllegal) this.#dealMask(buffer, i, m, slot);
    }
  }

  /** Row i of the rollout has its mask put into column `slot` of minibatch m. */
  #dealMask(buffer: RolloutBuffer, i: number, m: number, slot: number): void {
    const { numActions } = buffer.view;
    for (let k = 0; k < numActions; k++) {
      if (buffer.availActions[i * numActions + k] === 0) {
        this.#logitBias[(m * numActions + k) * this.#size + slot] = illegalLogit;
      }
    }
  }

  /** The last minibatch may be short: its rows weigh more, what is missing nothing. */
  #weightsOf(m: number): Float32Array {
    const count = Math.min(this.#size, this.#numRows - m * this.#size);
    return new Float32Array(this.#size).fill(1 / count, 0, count);
  }
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
