import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachConfig } from '../config.ts';
import type { CoachStore, ProposalDetails, RoundContext } from '../types.ts';
import { wantedBudget } from './reject.ts';

/** The JSON details of a proposal; this pipeline alone writes them. */
export function detailsOf(proposal: ProposalRecord): ProposalDetails {
  return proposal.details as ProposalDetails;
}

/**
 * Identities a proposal may not lead to again: every environment that has held in the run until now, the initial one
 * included, and all that proposals before this one led to, in earlier rounds and in earlier turns of the same, but
 * not what there was no budget to try. What came later on record is left out, so that a resumed boundary sees what it saw the
 * first time.
 */
export function earlierIdentities(
  store: Pick<CoachStore, 'proposals' | 'rounds' | 'decisions'>,
  { runId, round: now, config }: Pick<RoundContext, 'runId' | 'round' | 'config'>,
  before: number,
): Set<string> {
  const identities = new Set<string>();
  for (const { round, environmentIdentity } of store.rounds.listByRun(runId)) {
    if (round <= now) identities.add(environmentIdentity);
  }
  for (const proposal of store.proposals.list({ runId })) {
    const { proposalId, round, candidate } = proposal;
    const isEarlier = round < now || (round === now && turnOf(candidate, config) < turnOf(before, config));
    if (round + config.lag < now && wantedBudget(store, proposalId)) continue;
    const { identity } = detailsOf(proposal);
    if (isEarlier && identity !== null) identities.add(identity);
  }
  return identities;
}

/** When a candidate is asked for: each is followed by its second attempt, which counts from the number of candidates on. */
function turnOf(candidate: number, { candidates }: Pick<CoachConfig, 'candidates'>): number {
  return candidate < candidates ? 2 * candidate : 2 * (candidate - candidates) + 1;
}

/** Proposals of one boundary, by candidate. */
export function proposalsOf(
  store: Pick<CoachStore, 'proposals'>,
  runId: string,
  round: number,
): ProposalRecord[] {
  return [...store.proposals.list({ runId, round })].sort((a, b) => a.candidate - b.candidate);
}
