import type { RunView } from '../../shared/contract/runs.ts';
import type { StoreReader } from '../store/index.ts';
import type { RoundReport } from '../train/protocol.ts';

/** Traps of a run's rounds that are done; null where there were none. */
export function readTraps({ rounds }: Pick<StoreReader, 'rounds'>, runId: string): RunView['traps'] {
  let count = 0;
  let first: NonNullable<RunView['traps']>['first'] | null = null;
  for (const { round, outcome } of rounds.listByRun(runId)) {
    // Rounds of earlier versions kept the first hundred without their number.
    const { traps, numTraps = traps?.length } = (outcome?.report ?? {}) as Partial<RoundReport>;
    count += numTraps ?? 0;
    const [trap] = traps ?? [];
    if (first !== null || trap === undefined) continue;
    const { declaration, episode, step, reason } = trap;
    first = { round, declaration, episode, step, reason };
  }
  return first === null ? null : { count, first };
}
