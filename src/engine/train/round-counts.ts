import type { TrapRecord } from '../../shared/rl/vec-env.ts';
import type { VmProgram } from '../../shared/rl/vm-program.ts';
import type { ObservedState } from './checkpoint-file.ts';

/** Traps kept of a round; a program that traps every step would fill the report otherwise. */
const maxTraps = 100;

/** What a round's iterations add up to. */
export class RoundCounts {
  #envSteps = 0;
  #fireCounts = new Float64Array(0);
  #traps: TrapRecord[] = [];
  #numTraps = 0;
  evaluationSteps = 0;

  add(envSteps: number, fireCounts: Float64Array, traps: readonly TrapRecord[]): void {
    this.#envSteps += envSteps;
    if (this.#fireCounts.length !== fireCounts.length) this.#fireCounts = new Float64Array(fireCounts.length);
    for (const [index, count] of fireCounts.entries()) {
      this.#fireCounts[index] = (this.#fireCounts[index] ?? 0) + count;
    }
    this.#traps.push(...traps.slice(0, maxTraps - this.#traps.length));
    this.#numTraps += traps.length;
  }

  /** The first of the round. */
  get traps(): readonly TrapRecord[] {
    return this.#traps;
  }

  /** All of the round, those that are not kept too. */
  get numTraps(): number {
    return this.#numTraps;
  }

  /** Fired / (steps × instances) by "kind name", as in "reward crowding". */
  rates(program: VmProgram | null): Record<string, number> {
    return Object.fromEntries(
      (program?.declarations ?? []).map(({ kind, name, instances }, index) => {
        const chances = this.#envSteps * instances;
        return [`${kind} ${name}`, chances === 0 ? 0 : (this.#fireCounts[index] ?? 0) / chances];
      }),
    );
  }

  save(): Omit<ObservedState, 'window'> {
    return {
      envSteps: this.#envSteps,
      fireCounts: this.#fireCounts,
      traps: this.#traps,
      numTraps: this.#numTraps,
      evaluationSteps: this.evaluationSteps,
    };
  }

  static from(saved: Omit<ObservedState, 'window'>): RoundCounts {
    const counts = new RoundCounts();
    counts.#envSteps = saved.envSteps;
    counts.#fireCounts = new Float64Array(saved.fireCounts);
    counts.#traps = [...saved.traps];
    counts.#numTraps = saved.numTraps;
    counts.evaluationSteps = saved.evaluationSteps;
    return counts;
  }
}
