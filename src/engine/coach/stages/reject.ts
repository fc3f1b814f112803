import type { CoachDependencies } from '../types.ts';

type Deps = Pick<CoachDependencies, 'store' | 'now' | 'onChange'>;

/** Turns a proposal down without a person, once. */
export function rejectAutomatically({ store, now, onChange }: Deps, proposalId: string, note: string): void {
  if (store.decisions.find(proposalId) !== null) return;
  store.transaction(() => {
    store.decisions.record({
      proposalId,
      verdict: 'rejected',
      author: 'automatic',
      note,
      textHash: null,
      decidedAt: now(),
    });
    store.proposals.setState(proposalId, 'rejected');
  });
  onChange?.(proposalId);
}
