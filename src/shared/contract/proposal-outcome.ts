import type { ProposalView } from './coach.ts';

/** A coach that knows nothing (more) worth proposing has not failed: it says so, and training goes on. */
export function hasNothingToPropose({ failure }: Pick<ProposalView, 'failure'>): boolean {
  return failure?.code === 'coach.noProposal';
}

/** What was decided could not be applied to the environment that held by then; `failure` says why. */
export function couldNotBeApplied({ state, decision }: Pick<ProposalView, 'state' | 'decision'>): boolean {
  return state === 'failed' && decision !== null;
}
