import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachStore, ProposalDetails } from '../types.ts';

/** The JSON details of a proposal; this pipeline alone writes them. */
export function detailsOf(proposal: ProposalRecord): ProposalDetails {
  return proposal.details as ProposalDetails;
}

/**
 * Identities that proposals before a given one lead to, in this run: earlier rounds, and earlier candidates of the
 * same round. What came later on record is left out, so that a resumed boundary sees what it saw the first time.
 */
export function earlierIdentities(
  store: Pick<CoachStore, 'proposals'>,
  runId: string,
  before: { readonly round: number; readonly candidate: number },
): Set<string> {
  const identities = new Set<string>();
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
