import type { ProposalView } from '../../../shared/contract/coach.ts';

type Known = Pick<ProposalView, 'trial' | 'decision' | 'rollback'>;

/** How much is known of proposals that memory tells: trials that ended, decisions, and rollbacks, which only ever become more. */
export function countKnown(proposals: readonly Known[]): number {
  const numKnown = ({ trial, decision, rollback }: Known): number =>
    [trial !== null && trial.state !== 'unfinished', decision !== null, rollback !== undefined].filter(
      Boolean,
    ).length;
  return proposals.reduce((sum, proposal) => sum + numKnown(proposal), 0);
}
