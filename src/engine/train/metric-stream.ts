import type { SeriesPoint, TrainerEvent } from './protocol.ts';

/** Where a run stands when points are told. */
export interface StepCounts {
  readonly ownSteps: number;
  readonly chargedSteps: number;
}

/** A run's points in the order in which they are told, numbered without a gap across checkpoints, and how fast it goes. */
export class MetricStream {
  readonly #now: () => number;
  #sequence = 0;
  #speed = { at: 0, steps: 0, perSecond: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of the next point. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Goes on as a checkpoint has it. */
  load(sequence: number): void {
    this.#sequence = sequence;
  }

  /** Speed is that of this round, measured over a second at least. */
  beginRound(ownSteps: number): void {
    this.#speed = { at: this.#now(), steps: ownSteps, perSecond: 0 };
  }

  send(
    emit: (event: TrainerEvent) => void,
    points: readonly SeriesPoint[],
    { ownSteps, chargedSteps }: StepCounts,
  ): void {
    const now = this.#now();
    if (now - this.#speed.at >= 1000) {
      const perSecond = ((ownSteps - this.#speed.steps) * 1000) / (now - this.#speed.at);
      this.#speed = { at: now, steps: ownSteps, perSecond };
    }
    const { perSecond: stepsPerSecond } = this.#speed;
    emit({ type: 'metrics', firstSequence: this.#sequence, points, ownSteps, chargedSteps, stepsPerSecond });
    this.#sequence += points.length;
  }
}
