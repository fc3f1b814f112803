/** Evaluations that are remembered, the last ones. */
export const maxEvaluations = 8;

/** Starts that are followed at most, the first ones of an evaluation: 128 bytes for each evaluation. */
export const maxStarts = 1024;

/** Which of the fixed starts were solved in the last evaluations, oldest first: a bit a start (least significant first), as base64. */
export interface SolvedState {
  readonly starts: number;
  readonly evaluations: readonly string[];
}

/**
 * Follows which of the fixed evaluation starts a run solves. Every evaluation plays the same ones, so that a start that is
 * solved now and then can be told from one that never is. Bounded, whatever a run's length.
 */
export class SolvedStarts {
  #state: SolvedState;

  constructor(state: SolvedState = { starts: 0, evaluations: [] }) {
    // Copied as a literal: what was read back is written again in the same bytes.
    this.#state = { starts: state.starts, evaluations: [...state.evaluations] };
  }

  get state(): SolvedState {
    return this.#state;
  }

  /** Takes in an evaluation: whether each episode was a success, 1 or 0; one without a value is not solved. */
  add(success: Float64Array): void {
    const starts = Math.min(success.length, maxStarts);
    const bits = Buffer.alloc(Math.ceil(starts / 8));
    for (let i = 0; i < starts; i++) {
      if ((success[i] as number) >= 0.5) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
    }
    // Another number of starts is another evaluation: what was known of it says nothing of this one.
    const before = starts === this.#state.starts ? this.#state.evaluations : [];
    this.#state = { starts, evaluations: [...before, bits.toString('base64')].slice(-maxEvaluations) };
  }
}

/** Per start, in how many of the evaluations it was solved. */
export function countSolved({ starts, evaluations }: SolvedState): number[] {
  const counts = new Array<number>(starts).fill(0);
  for (const evaluation of evaluations) {
    const bits = Buffer.from(evaluation, 'base64');
    for (let i = 0; i < starts; i++)
      counts[i] = (counts[i] as number) + (((bits[i >> 3] ?? 0) >> (i & 7)) & 1);
  }
  return counts;
}
