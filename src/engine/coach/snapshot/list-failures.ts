import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachStore, ProposalDetails } from '../types.ts';
import { isOfCandidate } from '../whatif/trial-failure.ts';
import { changesOf } from './past-changes.ts';
import type { SnapshotFailure } from './snapshot-schema.ts';

type History = Pick<CoachStore, 'proposals' | 'validations' | 'trials'>;

/** Failures kept of each kind: enough to see what does not work, few enough to read. */
export const maxFailuresPerKind = 3;

/** Answers that were no proposal. What a lost or slow model host did is nobody's proposal, and is left out. */
const unsoundAnswers: readonly string[] = ['coach.badOutput', 'model.truncated'];

/** Grounds of the validator by which a change does nothing. */
const dullCodes: readonly string[] = ['neverFires', 'noEffect', 'unchanged'];

/**
 * What failed of a run's proposals before a round, the last ones first, at most three of each kind: a coach that is shown only
 * what was taken over proposes the rest again.
 */
export function listFailures(
  store: History,
  runId: string,
  beforeRound: number,
  better: 'higher' | 'lower',
): SnapshotFailure[] {
  const counts = new Map<SnapshotFailure['kind'], number>();
  return store.proposals
    .list({ runId })
    .filter(({ round }) => round < beforeRound)
    .sort((a, b) => b.round - a.round || b.candidate - a.candidate)
    .flatMap((proposal) => {
      const found = judge(store, proposal, better);
      if (found === null) return [];
      const count = counts.get(found.kind) ?? 0;
      counts.set(found.kind, count + 1);
      const { round, candidate, provider } = proposal;
      return count < maxFailuresPerKind
        ? [{ ...found, round, candidate, provider, changes: changesOf(proposal) }]
        : [];
    });
}

type Judgement = Pick<SnapshotFailure, 'kind' | 'why'>;

function judge(store: History, proposal: ProposalRecord, better: 'higher' | 'lower'): Judgement | null {
  const { proposalId, state } = proposal;
  const failure = (proposal.details as ProposalDetails | null)?.failure ?? null;
  if (failure !== null && unsoundAnswers.includes(failure.code))
    return { kind: 'compile', why: failure.message };
  if (state === 'invalid') return judgeReasons(store.validations.find(proposalId)?.reasons ?? []);
  if (state !== 'rejected') return null;
  const trial = store.trials.find(proposalId);
  if (trial?.failure != null)
    return isOfCandidate(trial.failure) ? { kind: 'training', why: trial.failure.message } : null;
  if (trial?.summary == null || trial.summary.verdict === 'better') return null;
  const { low, high } = trial.summary;
  const isWorse = better === 'higher' ? high < 0 : low > 0;
  return { kind: 'dull', why: isWorse ? 'worse in its trial' : 'no better in its trial' };
}

function judgeReasons(
  reasons: readonly { readonly code: string; readonly severity: string; readonly message: string }[],
): Judgement | null {
  const errors = reasons.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) return null;
  const why = first.message;
  if (errors.some(({ code }) => /^EDL\d/.test(code))) return { kind: 'compile', why };
  return { kind: errors.every(({ code }) => dullCodes.includes(code)) ? 'dull' : 'validation', why };
}
