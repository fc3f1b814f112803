import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachStore, ProposalDetails } from '../types.ts';

/** The JSON details of a proposal; this pipeline alone writes them. */
export function detailsOf(proposal: ProposalRecord): ProposalDetails {
  return proposal.details as ProposalDetails;
}

/**
 * Identities a proposal may not lead to again: every environment that has held in the run until now, the initial one
 * included, and all that proposals before this one led to, in earlier rounds and among earlier candidates of the same.
 * What came later on record is left out, so that a resumed boundary sees what it saw the first time.
 */
export function earlierIdentities(
  store: Pick<CoachStore, 'proposals' | 'rounds'>,
  runId: string,
  before: { readonly round: number; readonly candidate: number },
): Set<string> {
  const identities = new Set<string>();
  for (const { round, environmentIdentity } of store.rounds.listByRun(runId)) {
    if (round <= before.round) identities.add(environmentIdentity);
  }
  for (const proposal of store.proposals.list({ runId })) {
    const isEarlier =
      proposal.round < before.round ||
      (proposal.round === before.round && proposal.candidate < before.candidate);
    const { identity } = detailsOf(proposal);
    if (isEarlier && identity !== null) identities.add(identity);
  }
  return identities;
}

/** Proposals of one boundary, by candidate. */
export function proposalsOf(
  store: Pick<CoachStore, 'proposals'>,
  runId: string,
  round: number,
): ProposalRecord[] {
  return [...store.proposals.list({ runId, round })].sort((a, b) => a.candidate - b.candidate);
}
