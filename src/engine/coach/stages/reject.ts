import type { DecisionRecord } from '../../store/decisions.ts';
import type { CoachDependencies, CoachStore } from '../types.ts';

/** Whether it was turned down for want of budget and nothing else. */
export function wantedBudget({ decisions }: Pick<CoachStore, 'decisions'>, proposalId: string): boolean {
  return decisions.find(proposalId)?.reason === 'budget';
}

type Deps = Pick<CoachDependencies, 'store' | 'now' | 'onChange'>;

/** Turns a proposal down without a person, once. */
export function rejectAutomatically(
  { store, now, onChange }: Deps,
  proposalId: string,
  note: string,
  reason?: DecisionRecord['reason'],
): void {
  if (store.decisions.find(proposalId) !== null) return;
  store.transaction(() => {
    store.decisions.record({
      proposalId,
      verdict: 'rejected',
      author: 'automatic',
      note,
      textHash: null,
      decidedAt: now(),
      ...(reason !== undefined && { reason }),
    });
    store.proposals.setState(proposalId, 'rejected');
  });
  onChange?.(proposalId);
}
