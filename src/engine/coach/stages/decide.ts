import { AppError } from '../../../shared/std/app-error.ts';
import type { CompiledEnvironment } from '../../edl/types.ts';
import type { DecisionRecord } from '../../store/decisions.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import { shapesOf } from '../shapes.ts';
import type { CoachDependencies, DecisionOutcome, ProposalDetails, RoundContext } from '../types.ts';
import { applyChanges } from '../validate/validate-proposal.ts';
import { detailsOf } from './excluded.ts';
import { rejectAutomatically } from './reject.ts';

type Deps = Pick<CoachDependencies, 'store' | 'edl' | 'now' | 'onChange'>;

/**
 * Decides what is ready, and applies what was decided. Automatic: the best candidate whose trial says "better", at
 * most one; the unchanged environment wins everything else. Semi-automatic: the same, as far as validator and what-if leave
 * no doubt; the rest waits for a person, as all of it does in manual mode. Training does not wait; what a person decided
 * since takes effect here.
 */
export function decideProposals(deps: Deps, context: RoundContext): DecisionOutcome {
  const { store } = deps;
  const ready = store.proposals
    .list({ runId: context.runId })
    .filter((proposal) => isReady(deps, context, proposal))
    .sort((a, b) => a.round - b.round || a.candidate - b.candidate);
  const { mode } = context.config;
  const isLeft = (proposal: ProposalRecord): boolean =>
    mode === 'manual' || (mode === 'semi-automatic' && isDoubtful(deps, context, proposal));
  for (const { proposalId } of ready.filter(isLeft)) {
    if (context.config.whatif.share === 0)
      store.proposals.leave(proposalId, 'this arm tries nothing (whatif share 0)');
    else store.proposals.setState(proposalId, 'awaiting');
    deps.onChange?.(proposalId);
  }
  decideAutomatically(
    deps,
    context,
    ready.filter((proposal) => !isLeft(proposal)),
  );
  return applyDecisions(deps, context);
}

/**
 * Whether a person has to look: it was not tried, its interval holds both better and worse, or it is better while the
 * validator has a doubt. A clear loss is no question.
 */
function isDoubtful({ store }: Deps, { objective }: RoundContext, { proposalId }: ProposalRecord): boolean {
  const summary = store.trials.find(proposalId)?.summary ?? null;
  if (summary === null) return true;
  if (summary.verdict === 'better') return (store.validations.find(proposalId)?.reasons.length ?? 0) > 0;
  return objective.better === 'higher' ? summary.high >= 0 : summary.low <= 0;
}

/** Tried, or valid where nothing is tried. */
function isReady({ store }: Deps, { config, round }: RoundContext, proposal: ProposalRecord): boolean {
  if (proposal.round > round) return false;
  if (config.whatif.share === 0)
    return proposal.state === 'validated' && proposal.round + config.lag <= round;
  return proposal.state === 'trying' && store.trials.find(proposal.proposalId)?.summary != null;
}

function decideAutomatically(deps: Deps, context: RoundContext, ready: readonly ProposalRecord[]): void {
  const { store } = deps;
  const sign = context.objective.better === 'higher' ? 1 : -1;
  const isTried = context.config.whatif.share > 0;
  const gainOf = ({ proposalId }: ProposalRecord): number => {
    const summary = store.trials.find(proposalId)?.summary ?? null;
    if (!isTried) return 0;
    return summary?.verdict === 'better' ? sign * summary.meanDifference : Number.NEGATIVE_INFINITY;
  };
  const winner = ready.reduce<ProposalRecord | null>((best, proposal) => {
    if (gainOf(proposal) === Number.NEGATIVE_INFINITY) return best;
    return best === null || gainOf(proposal) > gainOf(best) ? proposal : best;
  }, null);
  for (const proposal of ready) {
    if (proposal === winner)
      accept(deps, proposal, isTried ? '' : 'applied untested: the arm tries nothing out (whatif share 0)');
    else rejectAutomatically(deps, proposal.proposalId, rejectionNote(deps, proposal, isTried));
  }
}

function accept(
  { store, now, onChange }: Deps,
  { proposalId, afterHash }: ProposalRecord,
  note: string,
): void {
  store.decisions.record({
    proposalId,
    verdict: 'accepted',
    author: 'automatic',
    note,
    textHash: afterHash,
    decidedAt: now(),
  });
  store.proposals.setState(proposalId, 'accepted');
  onChange?.(proposalId);
}

function rejectionNote({ store }: Deps, { proposalId }: ProposalRecord, isTried: boolean): string {
  if (!isTried) return 'an earlier candidate of the boundary was taken';
  const summary = store.trials.find(proposalId)?.summary;
  if (summary?.verdict === 'better') return 'another candidate did better in its trial';
  const { meanDifference = 0, low = 0, high = 0, leastGain = 0 } = summary ?? {};
  return low * high > 0 && Math.abs(meanDifference) <= leastGain
    ? `its trial differs by no more (${meanDifference.toPrecision(2)}) than other episodes may make of it (${leastGain.toPrecision(2)})`
    : 'its trial did not beat the unchanged environment';
}

/** Applies decisions that are not in force yet, or that came into force at this very boundary before an interruption. */
function applyDecisions(deps: Deps, context: RoundContext): DecisionOutcome {
  const { store } = deps;
  let text = context.text;
  let environment = context.environment;
  const applied: ProposalRecord[] = [];
  for (const decision of store.decisions.listByRun(context.runId)) {
    const proposal = store.proposals.get(decision.proposalId);
    if (!isDue(decision, proposal, context.round)) continue;
    const next = applyDecision(deps, context, { decision, proposal }, text);
    if ('reason' in next) {
      fail(deps, proposal, next.reason);
      continue;
    }
    ({ text, environment } = next);
    store.decisions.markApplied(proposal.proposalId, context.round);
    applied.push(proposal);
    deps.onChange?.(proposal.proposalId);
  }
  return { text, environment, applied };
}

function isDue(decision: DecisionRecord, { state, round }: ProposalRecord, now: number): boolean {
  if (state === 'failed' || round > now) return false;
  return decision.appliedRound === null || decision.appliedRound === now;
}

type Applied = { readonly text: string; readonly environment: CompiledEnvironment };

/** The text that holds with a decision, or why it no longer applies to the one that holds now. */
function applyDecision(
  deps: Deps,
  context: RoundContext,
  { decision, proposal }: { readonly decision: DecisionRecord; readonly proposal: ProposalRecord },
  text: string,
): Applied | { readonly reason: string } {
  const next = decidedText(deps, decision, proposal, text);
  if (typeof next !== 'string') return next;
  const { environment } = deps.edl.compile(next);
  if (environment === null) return { reason: 'with it, the environment that holds now does not compile' };
  if (shapesOf(environment) !== shapesOf(context.environment))
    return {
      reason: 'with it, the environment has other shapes or other players than the run was begun with',
    };
  return { text: next, environment };
}

function decidedText(
  { edl, store: { texts } }: Deps,
  { verdict, textHash }: DecisionRecord,
  { body, beforeHash }: ProposalRecord,
  text: string,
): string | { readonly reason: string } {
  if (verdict !== 'edited') {
    const applied = body === null ? null : applyChanges(edl, text, body);
    return applied?.text ?? { reason: applied?.reasons[0]?.message ?? 'there is no change on record' };
  }
  if (textHash === null) throw new AppError('store.corrupt', 'an edited decision has no text on record');
  // A whole text says nothing about what was changed elsewhere since: put over it, it would undo that silently.
  if (texts.get(beforeHash) === text) return texts.get(textHash);
  return {
    reason:
      'the environment has changed since the text was edited, and the edited text would undo that; it is kept with the decision',
  };
}

/** The decision stays on record with its text; the proposal says why it had no effect. */
function fail({ store, onChange }: Deps, proposal: ProposalRecord, message: string): void {
  const { answerHash, isComposed, body, afterHash } = proposal;
  const details = { ...detailsOf(proposal), failure: { code: 'edl.invalid' as const, message } };
  store.proposals.answer(proposal.proposalId, {
    answerHash,
    isComposed,
    body,
    afterHash,
    details: details satisfies ProposalDetails,
    state: 'failed',
  });
  onChange?.(proposal.proposalId);
}
