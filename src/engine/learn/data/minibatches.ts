import type { CounterRng } from '../../../shared/std/rng.ts';
import { shuffle } from '../../../shared/std/shuffle.ts';
import { type OrtTensor, wrap } from '../graph/session.ts';
import { illegalLogit } from '../nn/categorical.ts';
import type { RolloutBuffer } from './rollout-buffer.ts';
import { UnitLayout, type UnitShape } from './unit-layout.ts';

/** How the numbers of a rollout are brought into the units of the loss. */
export interface MinibatchScale {
  readonly returnMean: number;
  readonly returnDeviation: number;
  /**
   * Units in which the critic spoke during the rollout. They are not those of the returns, which the norm has taken in since:
   * clipped values are held to what the network said, so that an update begins with no difference.
   */
  readonly valueMean: number;
  readonly valueDeviation: number;
  /** Advantages of each minibatch get mean 0 and deviation 1. */
  readonly normAdv: boolean;
}

/**
 * A rollout dealt out into K minibatches of B rows, which the training session reads in place; allocated once.
 * Units are dealt, not gathered: one pass reads the rollout in order and appends each unit to its minibatch, which is kinder
 * to the caches than fetching rows in random order. What is missing to whole minibatches has no weight.
 */
export class Minibatches {
  /** Feeds of the training graph by input name, one per minibatch. */
  readonly feeds: readonly Readonly<Record<string, OrtTensor>>[];
  readonly #layout: UnitLayout;
  readonly #numUnits: number;
  /** Minibatch of each unit of the rollout. */
  readonly #labels: Uint16Array | Uint32Array;
  /** Units dealt to each minibatch so far. */
  readonly #filled: Uint32Array;
  // [K,B,O+1], [K,N,B], [K,B], [K,B/A,S+1], [K,units·A,H], [K,units·k,H]
  readonly #obs: Float32Array;
  readonly #logitBias: Float32Array;
  readonly #actions: Int32Array;
  readonly #logProbs: Float32Array;
  readonly #advantages: Float32Array;
  readonly #returns: Float32Array;
  readonly #oldValues: Float32Array;
  readonly #weights: Float32Array;
  readonly #policyWeights: Float32Array;
  readonly #keep: Float32Array;
  readonly #state: Float32Array;
  readonly #actorHidden: Float32Array;
  readonly #criticHidden: Float32Array;
  /** Whether policyWeights differ from weights. */
  #isWeightedByActive = false;

  /** Of a rollout like `buffer`, in minibatches of the given shape. */
  constructor(buffer: RolloutBuffer, shape: UnitShape) {
    const { view, extras } = buffer;
    const layout = new UnitLayout(buffer, shape);
    const count = Math.ceil(layout.numUnits / layout.unitsPerBatch);
    const { rowsPerBatch: rows, unitsPerBatch } = layout;
    const total = count * rows;
    this.#layout = layout;
    this.#numUnits = layout.numUnits;
    this.#labels = count < 2 ** 16 ? new Uint16Array(layout.numUnits) : new Uint32Array(layout.numUnits);
    this.#filled = new Uint32Array(count);
    this.#obs = new Float32Array(total * (view.obsDim + 1)).fill(1);
    this.#logitBias = new Float32Array(total * view.numActions);
    this.#actions = new Int32Array(total);
    this.#logProbs = new Float32Array(total);
    this.#advantages = new Float32Array(total);
    this.#returns = new Float32Array(total);
    this.#oldValues = new Float32Array(shape.hasOldValues ? total : 0);
    this.#weights = new Float32Array(total);
    for (let m = 0; m < count; m++) this.#writeWeights(m);
    this.#policyWeights = this.#weights.slice();
    this.#keep = new Float32Array(total).fill(1);
    const stateRows = layout.stateRowsPerBatch;
    this.#state = new Float32Array(
      extras.stateDim === 0 ? 0 : count * stateRows * (extras.stateDim + 1),
    ).fill(1);
    const units = extras.chunkLength === 0 ? 0 : unitsPerBatch;
    this.#actorHidden = new Float32Array(count * units * shape.numAgents * extras.hidden);
    this.#criticHidden = new Float32Array(count * units * extras.criticRows * extras.hidden);
    const part = <T extends Float32Array | Int32Array>(array: T, m: number, height: number): OrtTensor => {
      const size = array.length / count;
      return wrap(array.subarray(m * size, (m + 1) * size) as T, [height, size / height]);
    };
    this.feeds = Array.from({ length: count }, (_, m) => ({
      obs: part(this.#obs, m, rows),
      logitBias: part(this.#logitBias, m, view.numActions),
      actions: part(this.#actions, m, 1),
      logProbs: part(this.#logProbs, m, 1),
      advantages: part(this.#advantages, m, 1),
      returns: part(this.#returns, m, 1),
      weights: part(this.#weights, m, 1),
      policyWeights: part(this.#policyWeights, m, 1),
      ...(shape.hasOldValues && { oldValues: part(this.#oldValues, m, 1) }),
      ...(extras.stateDim > 0 && { state: part(this.#state, m, stateRows) }),
      ...(units > 0 && {
        keep: part(this.#keep, m, 1),
        actorHidden: part(this.#actorHidden, m, units * shape.numAgents),
        criticHidden: part(this.#criticHidden, m, units * extras.criticRows),
      }),
    }));
  }

  /** Deals the rollout anew. Seeds: one word of `rng` per unit, less one. */
  deal(buffer: RolloutBuffer, rng: CounterRng, scale: MinibatchScale): void {
    const { unitsPerBatch, rowsPerBatch } = this.#layout;
    for (let m = 0; m < this.feeds.length; m++)
      this.#labels.fill(m, m * unitsPerBatch, (m + 1) * unitsPerBatch);
    shuffle(this.#labels, rng);
    this.#filled.fill(0);
    this.#logitBias.fill(0);
    this.#dealUnits(buffer, scale);
    this.#weighByActive(buffer);
    if (!scale.normAdv) return;
    for (let m = 0; m < this.feeds.length; m++) {
      normalise(this.#advantages, this.#policyWeights, m * rowsPerBatch, (m + 1) * rowsPerBatch);
    }
  }

  #dealUnits(buffer: RolloutBuffer, scale: MinibatchScale): void {
    const [labels, filled, layout] = [this.#labels, this.#filled, this.#layout];
    const { numSteps, numAgents } = layout.shape;
    const hasState = buffer.extras.stateDim > 0;
    const hasMemory = buffer.extras.chunkLength > 0;
    for (let u = 0; u < labels.length; u++) {
      const m = labels[u] as number;
      const slot = filled[m] as number;
      filled[m] = slot + 1;
      const first = layout.rowOf(u);
      const target = layout.targetOf(m, slot);
      const stride = layout.strideOf(slot);
      for (let l = 0; l < numSteps; l++) {
        const from = first + l * layout.sourceStride;
        const to = target + l * numAgents * stride;
        this.#dealRows(buffer, scale, from, to, stride, m);
      }
      if (hasState) this.#dealStates(buffer, u, m, slot);
      if (hasMemory) this.#dealMemories(buffer, u, m, slot);
    }
  }

  /** The rows of one unit and step, `numAgents` of them. */
  #dealRows(
    buffer: RolloutBuffer,
    { returnMean, returnDeviation, valueMean, valueDeviation }: MinibatchScale,
    first: number,
    target: number,
    stride: number,
    minibatch: number,
  ): void {
    const { obs, actions, logProbs, advantages, returns, values } = buffer;
    const toObs = this.#obs;
    const width = buffer.view.obsDim + 1;
    const { numAgents, hasOldValues } = this.#layout.shape;
    for (let a = 0; a < numAgents; a++) {
      const i = first + a;
      const row = target + a * stride;
      for (let k = 0; k < width; k++) toObs[row * width + k] = obs[i * width + k] as number;
      this.#actions[row] = actions[i] as number;
      this.#logProbs[row] = logProbs[i] as number;
      this.#advantages[row] = advantages[i] as number;
      this.#returns[row] = ((returns[i] as number) - returnMean) / returnDeviation;
      if (hasOldValues) this.#oldValues[row] = ((values[i] as number) - valueMean) / valueDeviation;
      if (buffer.hasIllegal) this.#dealMask(buffer, i, minibatch, row);
    }
  }

  /** Row i of the rollout has its mask put into the column of row `row`, which lies in minibatch m. */
  #dealMask(buffer: RolloutBuffer, i: number, m: number, row: number): void {
    const { numActions } = buffer.view;
    const { rowsPerBatch } = this.#layout;
    const column = row - m * rowsPerBatch;
    for (let k = 0; k < numActions; k++) {
      if (buffer.availActions[i * numActions + k] === 0) {
        this.#logitBias[(m * numActions + k) * rowsPerBatch + column] = illegalLogit;
      }
    }
  }

  /** The states of a unit, one per step. */
  #dealStates(buffer: RolloutBuffer, unit: number, m: number, slot: number): void {
    const layout = this.#layout;
    const { numSteps } = layout.shape;
    const [source, target, width] = [buffer.state, this.#state, buffer.extras.stateDim + 1];
    const first = layout.stepOf(unit) * buffer.numEnvs + layout.copyOf(unit);
    const stride = layout.strideOf(slot);
    for (let l = 0; l < numSteps; l++) {
      const from = (first + l * buffer.numEnvs) * width;
      const to = (layout.stateTargetOf(m, slot) + l * stride) * width;
      for (let k = 0; k < width; k++) target[to + k] = source[from + k] as number;
    }
  }

  /** Where in a unit episodes begin, and what the networks remembered before its first step. */
  #dealMemories(buffer: RolloutBuffer, unit: number, m: number, slot: number): void {
    const layout = this.#layout;
    const { numSteps, numAgents } = layout.shape;
    const { chunkLength, hidden, criticRows } = buffer.extras;
    const [copy, step] = [layout.copyOf(unit), layout.stepOf(unit)];
    const stride = layout.strideOf(slot);
    for (let l = 0; l < numSteps; l++) {
      const first = layout.targetOf(m, slot) + l * numAgents * stride;
      const keep = 1 - (buffer.starts[(step + l) * buffer.numEnvs + copy] as number);
      for (let a = 0; a < numAgents; a++) this.#keep[first + a * stride] = keep;
    }
    const chunk = step / chunkLength;
    for (let a = 0; a < numAgents; a++) {
      const from = chunk * buffer.rows + copy * numAgents + a;
      const to = layout.memoryTargetOf(m, slot, a, numAgents);
      copyRow(buffer.actorHidden, from, this.#actorHidden, to, hidden);
    }
    for (let a = 0; a < criticRows; a++) {
      const from = chunk * buffer.numEnvs * criticRows + layout.criticRowOf(copy, a);
      const to = layout.memoryTargetOf(m, slot, a, criticRows);
      copyRow(buffer.criticHidden, from, this.#criticHidden, to, hidden);
    }
  }

  /** Agents that could not act weigh nothing in the policy's loss; the others of their minibatch more. */
  #weighByActive(buffer: RolloutBuffer): void {
    if (!buffer.hasInactive && !this.#isWeightedByActive) return;
    this.#policyWeights.set(this.#weights);
    this.#isWeightedByActive = buffer.hasInactive;
    if (!buffer.hasInactive) return;
    this.#layout.forEachRow(this.#labels, (i, row) => {
      if (buffer.active[i] === 0) this.#policyWeights[row] = 0;
    });
    const { rowsPerBatch } = this.#layout;
    for (let m = 0; m < this.feeds.length; m++) {
      const weights = this.#policyWeights.subarray(m * rowsPerBatch, (m + 1) * rowsPerBatch);
      const count = weights.reduce((sum, weight) => sum + Number(weight > 0), 0);
      for (let i = 0; i < weights.length; i++) if ((weights[i] as number) > 0) weights[i] = 1 / count;
    }
  }

  /** The last minibatch may be short: its rows weigh more, what is missing nothing. */
  #writeWeights(m: number): void {
    const { unitsPerBatch, rowsPerUnit } = this.#layout;
    const units = Math.min(unitsPerBatch, this.#numUnits - m * unitsPerBatch);
    for (let slot = 0; slot < units; slot++) {
      const [first, stride] = [this.#layout.targetOf(m, slot), this.#layout.strideOf(slot)];
      for (let k = 0; k < rowsPerUnit; k++) this.#weights[first + k * stride] = 1 / (units * rowsPerUnit);
    }
  }
}

function copyRow(source: Float32Array, from: number, target: Float32Array, to: number, width: number): void {
  for (let k = 0; k < width; k++) target[to * width + k] = source[from * width + k] as number;
}

/** Mean 0 and deviation 1 (with 1e-8 added, as in CleanRL) over the rows that weigh, in place. */
function normalise(values: Float32Array, weights: Float32Array, start: number, end: number): void {
  let [sum, squares, count] = [0, 0, 0];
  for (let i = start; i < end; i++) {
    if (weights[i] === 0) continue;
    const value = values[i] as number;
    sum += value;
    squares += value * value;
    count++;
  }
  if (count === 0) return;
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(squares / count - mean * mean, 0)) + 1e-8;
  for (let i = start; i < end; i++) {
    if (weights[i] !== 0) values[i] = ((values[i] as number) - mean) / deviation;
  }
}
