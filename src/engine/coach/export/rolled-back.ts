import type { DecisionRecord, StoreReader } from '../../store/index.ts';

type Applied = Pick<DecisionRecord, 'proposalId' | 'appliedRound'>;

/**
 * Whether a change that a decision brought into force was undone later: by a rollback on record or, in runs of before those
 * were kept, by the text from before it coming back. What came after the round `until` is not looked at.
 */
export function wasRolledBack(
  store: Pick<StoreReader, 'rounds' | 'rollbacks'>,
  runId: string,
  decision: Applied | null,
  until = Number.POSITIVE_INFINITY,
): boolean {
  if (decision === null || decision.appliedRound === null) return false;
  const { proposalId, appliedRound } = decision;
  const isOnRecord = store.rollbacks
    .listByRun(runId)
    .some(({ round, proposalIds }) => round <= until && proposalIds.includes(proposalId));
  return isOnRecord || hasComeBack(store, runId, appliedRound, until);
}

function hasComeBack(
  { rounds }: Pick<StoreReader, 'rounds'>,
  runId: string,
  applied: number,
  until: number,
): boolean {
  const all = rounds.listByRun(runId).filter(({ round }) => round <= until);
  const hashOf = (wanted: number) => all.find(({ round }) => round === wanted)?.environmentHash;
  const before = hashOf(applied);
  if (hashOf(applied + 1) === before) return false;
  return all.some(({ round, environmentHash }) => round > applied + 1 && environmentHash === before);
}
