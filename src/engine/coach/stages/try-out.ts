import type { DecisionRecord } from '../../store/decisions.ts';
import type { ProposalRecord } from '../../store/proposals.ts';
import type { TrialPlanRecord } from '../../store/trials.ts';
import { leadsTo } from '../leads-to.ts';
import { specOnTrial } from '../shaping/shaping-context.ts';
import type { CoachDependencies, RoundContext, TrialRunner, TryOutOutcome } from '../types.ts';
import { applyChanges } from '../validate/validate-proposal.ts';
import { planAtBoundary, tellShortage } from '../whatif/plan-trials.ts';
import { runTrials, type TrialCandidate } from '../whatif/run-trials.ts';
import { stepsOfTrial } from '../whatif/trial-steps.ts';
import { proposalsOf } from './excluded.ts';
import { rejectAutomatically } from './reject.ts';

const noteOnOthers =
  'the trial budget of this boundary does not reach for it besides the candidates before it';

interface Trying {
  readonly runTrial: TrialRunner;
  readonly signal: AbortSignal;
}

/**
 * Tries the valid proposals of one boundary against the environment that holds now, and charges the steps. What is to
 * be tried, and for how long, is on record before the first step: a boundary that is gone through again keeps to it.
 */
export async function tryOutProposals(
  deps: CoachDependencies,
  context: RoundContext,
  { askedRound, ...trying }: Trying & { readonly askedRound: number },
): Promise<TryOutOutcome> {
  const { store } = deps;
  const { runId, round } = context;
  const plan = store.trials.findPlan(runId, round) ?? planOnce(deps, context, askedRound);
  if (plan !== null) await tryPlanned(deps, context, plan, trying);
  const spent = (plan?.proposalIds ?? []).flatMap((proposalId) =>
    stepsOfTrial(store.trials.find(proposalId)),
  );
  return { chargedSteps: spent.reduce((sum, { chargedSteps }) => sum + chargedSteps, 0) };
}

/** Records the plan as one; what changed with it is told once it is on record. */
function planOnce(
  deps: CoachDependencies,
  context: RoundContext,
  askedRound: number,
): TrialPlanRecord | null {
  const { store } = deps;
  const changed: string[] = [];
  const quiet = { ...deps, onChange: (proposalId: string) => void changed.push(proposalId) };
  const plan = store.transaction(() =>
    recordPlan(quiet, context, proposalsOf(store, context.runId, askedRound)),
  );
  for (const proposalId of changed) deps.onChange?.(proposalId);
  return plan;
}

/** Null, and what there is turned down or left to a person, when nothing can be tried. */
function recordPlan(
  deps: CoachDependencies,
  context: RoundContext,
  proposals: readonly ProposalRecord[],
): TrialPlanRecord | null {
  if (context.config.whatif.share === 0) return null;
  const candidates = proposals
    .filter(({ state }) => state === 'validated')
    .filter((proposal) => !setAside(deps, context, proposal))
    .flatMap((proposal) => {
      const candidate = prepare(deps, context, proposal);
      if (candidate !== null) return [candidate];
      const note = 'it no longer applies to the environment that holds now';
      rejectAutomatically(deps, proposal.proposalId, note);
      return [];
    });
  if (candidates.length === 0) return null;
  const affordable = planAtBoundary(context, context.round, candidates.length);
  const unpaid = candidates.slice(affordable?.numCandidates ?? 0);
  if (unpaid.length > 0) {
    const note = affordable === null ? tellShortage(context, context.round) : noteOnOthers;
    const again = affordable === null ? '' : '; it may be proposed again';
    for (const { proposalId } of unpaid)
      leave(deps, context, proposalId, { note, whenNobodyIsAsked: again, reason: 'budget' });
  }
  if (affordable === null) return null;
  const { numCandidates, ...plan } = affordable;
  const proposalIds = candidates.slice(0, numCandidates).map(({ proposalId }) => proposalId);
  for (const proposalId of proposalIds) deps.store.proposals.setState(proposalId, 'trying');
  const record = { ...plan, proposalIds };
  deps.store.trials.plan(context.runId, context.round, record);
  return record;
}

/**
 * A change of what comes later leaves what is trained now as it is, and a trial would compare two of the same: a person decides, or
 * nobody does.
 */
function setAside(
  deps: CoachDependencies,
  context: RoundContext,
  { proposalId, body }: ProposalRecord,
): boolean {
  const applied = body === null ? null : applyChanges(deps.edl, context.text, body);
  if (applied?.text == null) return false;
  const { environment } = applied;
  const current = context.environment;
  if (environment.identity !== current.identity || leadsTo(environment, current) === current.identity)
    return false;
  leave(deps, context, proposalId, {
    note: 'it changes how the curriculum goes on and nothing that is trained now, which no trial can tell',
    whenNobodyIsAsked:
      ': decide by hand (mode manual or semi-automatic), or try nothing out (whatif share 0)',
  });
  return true;
}

/** Why something is not tried. */
interface Untried {
  readonly note: string;
  /** What the note goes on with where no person is asked. */
  readonly whenNobodyIsAsked: string;
  readonly reason?: DecisionRecord['reason'];
}

/** What is not tried: a person decides, or where none is asked it is turned down. */
function leave(
  deps: CoachDependencies,
  { config }: RoundContext,
  proposalId: string,
  { note, whenNobodyIsAsked, reason }: Untried,
): void {
  if (config.mode === 'automatic') {
    rejectAutomatically(deps, proposalId, note + whenNobodyIsAsked, reason);
  } else {
    deps.store.proposals.leave(proposalId, note);
    deps.onChange?.(proposalId);
  }
}

/** The candidate's environment as it would be now; null when the change no longer applies or changes nothing. */
function prepare(
  { edl }: CoachDependencies,
  context: RoundContext,
  { proposalId, body }: ProposalRecord,
): TrialCandidate | null {
  if (body === null) return null;
  const applied = applyChanges(edl, context.text, body);
  if (applied.text === null) return null;
  const { environment } = applied;
  if (environment.identity === context.environment.identity) return null;
  return { proposalId, spec: specOnTrial(edl, context.shaping, applied) };
}

async function tryPlanned(
  deps: CoachDependencies,
  context: RoundContext,
  plan: TrialPlanRecord,
  trying: Trying,
): Promise<void> {
  const { store, onChange } = deps;
  for (const proposalId of plan.proposalIds) onChange?.(proposalId);
  const candidates = plan.proposalIds.flatMap(
    (proposalId) => prepare(deps, context, store.proposals.get(proposalId)) ?? [],
  );
  const control = specOnTrial(deps.edl, context.shaping, context);
  await runTrials({ context, control, candidates, plan, store, ...trying });
  for (const { proposalId } of candidates) {
    const failure = store.trials.find(proposalId)?.failure ?? null;
    if (failure !== null) rejectAutomatically(deps, proposalId, failure.message);
    onChange?.(proposalId);
  }
}
