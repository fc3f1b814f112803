import type { RolloutBuffer } from './rollout-buffer.ts';

/** Minibatches of units: chunks of `numSteps` steps of one copy with all its agents, or single rows (1 and 1). */
export interface UnitShape {
  readonly numSteps: number;
  /** Rows per unit and step: the agents of the group, or 1. */
  readonly numAgents: number;
  /** Units of each slice of a minibatch, which goes through the network apart from the others. */
  readonly slices: readonly number[];
  /** Whether the loss looks at the values of the rollout. */
  readonly hasOldValues: boolean;
  /** Place of the critic's memory (copy, agent) among those of a step. */
  readonly criticRowOf: (copy: number, agent: number) => number;
}

/**
 * Where the rows of a rollout go in minibatches whose rows lie slice after slice, in a slice step after step, agent after
 * agent, unit after unit. Units are numbered chunk by chunk and, within a chunk, copy by copy.
 */
export class UnitLayout {
  readonly shape: UnitShape;
  /** Units of the rollout. */
  readonly numUnits: number;
  readonly unitsPerBatch: number;
  readonly rowsPerUnit: number;
  /** B. */
  readonly rowsPerBatch: number;
  readonly stateRowsPerBatch: number;
  /** Rows of the rollout from one step of a unit to the next. */
  readonly sourceStride: number;
  /** Units side by side in the rollout. */
  readonly #unitsPerStep: number;
  /** By slot: first row, first state row, units of its slice. */
  readonly #rows: Uint32Array;
  readonly #stateRows: Uint32Array;
  readonly #strides: Uint32Array;
  /** By slot: units of the minibatch in slices before its own. */
  readonly #unitsBefore: Uint32Array;

  constructor(buffer: RolloutBuffer, shape: UnitShape) {
    const { numSteps, numAgents, slices } = shape;
    this.shape = shape;
    this.rowsPerUnit = numSteps * numAgents;
    this.unitsPerBatch = slices.reduce((sum, units) => sum + units, 0);
    this.rowsPerBatch = this.unitsPerBatch * this.rowsPerUnit;
    this.stateRowsPerBatch = this.unitsPerBatch * numSteps;
    this.numUnits = buffer.actions.length / this.rowsPerUnit;
    this.sourceStride = buffer.rows;
    this.#unitsPerStep = buffer.rows / numAgents;
    this.#rows = new Uint32Array(this.unitsPerBatch);
    this.#stateRows = new Uint32Array(this.unitsPerBatch);
    this.#strides = new Uint32Array(this.unitsPerBatch);
    this.#unitsBefore = new Uint32Array(this.unitsPerBatch);
    let slot = 0;
    let before = 0;
    for (const units of slices) {
      for (let k = 0; k < units; k++, slot++) {
        this.#rows[slot] = before * this.rowsPerUnit + k;
        this.#stateRows[slot] = before * numSteps + k;
        this.#strides[slot] = units;
        this.#unitsBefore[slot] = before;
      }
      before += units;
    }
  }

  /** First row of a unit in the rollout; its agents follow. */
  rowOf(unit: number): number {
    const { numSteps, numAgents } = this.shape;
    const chunk = Math.floor(unit / this.#unitsPerStep);
    return chunk * numSteps * this.sourceStride + (unit - chunk * this.#unitsPerStep) * numAgents;
  }

  /** Of a unit with all agents of a copy: the step at which it begins. */
  stepOf(unit: number): number {
    return Math.floor(unit / this.#unitsPerStep) * this.shape.numSteps;
  }

  /** Which copy it is of. */
  copyOf(unit: number): number {
    return unit % this.#unitsPerStep;
  }

  /** Row, counted over all minibatches, of a slot's first agent at its first step. */
  targetOf(minibatch: number, slot: number): number {
    return minibatch * this.rowsPerBatch + (this.#rows[slot] as number);
  }

  /** As `targetOf` for states, of which there is one per unit and step. */
  stateTargetOf(minibatch: number, slot: number): number {
    return minibatch * this.stateRowsPerBatch + (this.#stateRows[slot] as number);
  }

  /** As `targetOf` for memories, of which a unit has `count`, agent after agent; that of the agent at `place`. */
  memoryTargetOf(minibatch: number, slot: number, place: number, count: number): number {
    const before = this.#unitsBefore[slot] as number;
    const inSlice = place * (this.#strides[slot] as number) + slot - before;
    return (minibatch * this.unitsPerBatch + before) * count + inSlice;
  }

  /** Rows from one agent of a slot to the next; from one step to the next it is as many times the agents. */
  strideOf(slot: number): number {
    return this.#strides[slot] as number;
  }

  criticRowOf(copy: number, agent: number): number {
    return this.shape.criticRowOf(copy, agent);
  }

  /** Calls with each row of the rollout and where units dealt by `labels` (minibatch of each unit) put it. */
  forEachRow(labels: ArrayLike<number>, visit: (row: number, target: number) => void): void {
    const filled = new Uint32Array(Math.ceil(this.numUnits / this.unitsPerBatch));
    const { numSteps, numAgents } = this.shape;
    for (let unit = 0; unit < labels.length; unit++) {
      const minibatch = labels[unit] as number;
      const slot = filled[minibatch] as number;
      filled[minibatch] = slot + 1;
      const [from, to, stride] = [this.rowOf(unit), this.targetOf(minibatch, slot), this.strideOf(slot)];
      for (let l = 0; l < numSteps; l++) {
        for (let a = 0; a < numAgents; a++) {
          visit(from + l * this.sourceStride + a, to + (l * numAgents + a) * stride);
        }
      }
    }
  }
}
