import type { RunView } from '../../shared/contract/runs.ts';

const isOver = ({ state }: RunView) => state === 'finished' || state === 'failed' || state === 'stopped';

/** "1:05" of milliseconds, "1:02:05" from an hour on. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

const shareOf = (runs: Iterable<RunView>): number => {
  let [done, total] = [0, 0];
  for (const run of runs) {
    total += run.totalSteps;
    done += isOver(run) ? run.totalSteps : Math.min(run.step, run.totalSteps);
  }
  return total > 0 ? done / total : 0;
};

/** Below this share of the work an estimate would be a guess. */
const minShare = 0.03;

/** Tells how far a study is: what has been trained since it was begun here says how long the rest takes. */
export class StudyClock {
  readonly #startedAt: number;
  readonly #shareAtStart: number;

  constructor(runs: Iterable<RunView>, now: number) {
    this.#startedAt = now;
    this.#shareAtStart = shareOf(runs);
  }

  /** "3/15 runs, 0:41 elapsed, about 2:30 left". */
  describe(runs: readonly RunView[], now: number): string {
    const elapsed = now - this.#startedAt;
    const [share, numOver] = [shareOf(runs), runs.filter(isOver).length];
    const progress = share - this.#shareAtStart;
    const left = progress >= minShare ? (elapsed * (1 - share)) / progress : null;
    const estimate = left === null || numOver === runs.length ? '' : `, about ${formatDuration(left)} left`;
    return `${numOver}/${runs.length} runs, ${formatDuration(elapsed)} elapsed${estimate}`;
  }
}
