import type { ProposalRecord } from '../../store/proposals.ts';
import { leadsTo } from '../leads-to.ts';
import type { CoachDependencies, CoachStore, RoundContext } from '../types.ts';
import { applyChanges } from '../validate/validate-proposal.ts';
import { isOfCandidate } from '../whatif/trial-failure.ts';

type Store = Pick<CoachStore, 'proposals' | 'decisions' | 'trials' | 'rollbacks' | 'snapshots' | 'rounds'>;
type Deps = Pick<CoachDependencies, 'edl'> & { readonly store: Store };

/** An edit that may not come back yet, and why in words. */
interface Cooling {
  readonly proposal: ProposalRecord;
  /** Round after which it was turned down. */
  readonly round: number;
  readonly why: string;
}

/**
 * What the edits lead to now that lost their trial, were rejected by a person, or were rolled back within the last
 * `coolDown` rounds: identity -> why it may not come back yet. The same edit leads elsewhere once the environment around it has
 * changed, and little of why it failed may have.
 */
export function coolingIdentities({ edl, store }: Deps, context: RoundContext): Map<string, string> {
  const { coolDown } = context.config;
  const found = new Map<string, string>();
  if (coolDown === 0) return found;
  for (const { proposal, round, why } of failedEdits(store, context)) {
    if (proposal.body === null || context.round > round + coolDown) continue;
    const applied = applyChanges(edl, context.text, proposal.body);
    if (applied.text === null) continue;
    const until = `it may be proposed again after round ${round + coolDown + 2}`;
    found.set(leadsTo(applied.environment, context.environment), `the same edit ${why}; ${until}`);
  }
  return found;
}

function failedEdits(store: Store, context: RoundContext): Cooling[] {
  const { runId, round: now, config } = context;
  const rollbacks = store.rollbacks.listByRun(runId).filter(({ round }) => round <= now);
  return store.proposals
    .list({ runId })
    .filter(({ round }) => round + config.lag < now)
    .flatMap((proposal) => {
      const { proposalId } = proposal;
      const undone = rollbacks.findLast(({ proposalIds }) => proposalIds.includes(proposalId));
      if (undone !== undefined) {
        return { proposal, round: undone.round, why: `was rolled back after round ${undone.round + 1}` };
      }
      const rejection = rejectionOf(store, context, proposal);
      if (rejection === null) return [];
      const { round, why } = rejection;
      return { proposal, round, why: `${why} after round ${round + 1}` };
    });
}

/** Null where nothing was said against the edit itself: there was no budget, another one was better, the run was over. */
function rejectionOf(
  store: Store,
  { runId, round, config }: RoundContext,
  { proposalId, round: asked }: ProposalRecord,
): Omit<Cooling, 'proposal'> | null {
  const decision = store.decisions.find(proposalId);
  if (decision?.verdict !== 'rejected') return null;
  const tried = asked + config.lag;
  if (decision.author === 'person') {
    // What a person says while the boundary is gone through again was not known the first time.
    const known = store.snapshots.findByRound(runId, round)?.createdAt ?? Number.POSITIVE_INFINITY;
    if (decision.decidedAt > known) return null;
    const last = Math.max(tried, lastFinished(store, runId, decision.decidedAt));
    return { round: last, why: 'was rejected by a person' };
  }
  const trial = store.trials.find(proposalId);
  const brokeDown = trial !== null && trial.failure !== null && isOfCandidate(trial.failure);
  const hasLost = brokeDown || trial?.summary?.verdict === 'notBetter';
  return hasLost ? { round: tried, why: 'lost its trial' } : null;
}

/** The last round that had ended at a time; -1: none. */
function lastFinished({ rounds }: Store, runId: string, at: number): number {
  const ended = rounds.listByRun(runId).filter(({ outcome }) => outcome !== null && outcome.finishedAt <= at);
  return ended.at(-1)?.round ?? -1;
}
