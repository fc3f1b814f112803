import type { DecisionRecord, StoreReader } from '../../store/index.ts';

/** Whether the text that held before a decision came back after it had held. */
export function wasRolledBack(
  store: Pick<StoreReader, 'rounds'>,
  runId: string,
  decision: Pick<DecisionRecord, 'appliedRound'> | null,
): boolean {
  const applied = decision?.appliedRound ?? null;
  if (applied === null) return false;
  const rounds = store.rounds.listByRun(runId);
  const hashOf = (wanted: number) => rounds.find(({ round }) => round === wanted)?.environmentHash;
  const before = hashOf(applied);
  if (hashOf(applied + 1) === before) return false;
  return rounds.some(({ round, environmentHash }) => round > applied + 1 && environmentHash === before);
}
