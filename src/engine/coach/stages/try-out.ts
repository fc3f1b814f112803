import type { ProposalRecord } from '../../store/proposals.ts';
import type { CoachDependencies, RoundContext, TrialRunner, TryOutOutcome } from '../types.ts';
import { applyChanges } from '../validate/validate-proposal.ts';
import { planTrials } from '../whatif/plan-trials.ts';
import { runTrials, type TrialCandidate } from '../whatif/run-trials.ts';
import { proposalsOf } from './excluded.ts';
import { rejectAutomatically } from './reject.ts';

/** Tries the valid proposals of one boundary against the environment that holds now, and charges the steps. */
export async function tryOutProposals(
  deps: CoachDependencies,
  context: RoundContext,
  askedRound: number,
  runTrial: TrialRunner,
  signal: AbortSignal,
): Promise<TryOutOutcome> {
  const { store } = deps;
  const { whatif } = context.config;
  const open = proposalsOf(store, context.runId, askedRound).filter(
    ({ state }) => state === 'validated' || state === 'trying',
  );
  let lostSteps = 0;
  if (whatif.share > 0 && open.length > 0) {
    const candidates = open.flatMap((proposal) => prepare(deps, context, proposal));
    lostSteps = await tryCandidates(deps, context, candidates, runTrial, signal);
  }
  const proposals = proposalsOf(store, context.runId, askedRound);
  const pairs = proposals.flatMap(({ proposalId }) => store.trials.find(proposalId)?.pairs ?? []);
  return {
    chargedSteps: pairs.reduce((sum, pair) => sum + pair.chargedSteps, lostSteps),
    evaluationSteps: pairs.reduce((sum, pair) => sum + pair.evaluationSteps, 0),
    proposals,
  };
}

/** The candidate's environment as it would be now; none, and turned down, when the change no longer applies. */
function prepare(deps: CoachDependencies, context: RoundContext, proposal: ProposalRecord): TrialCandidate[] {
  const { proposalId, body } = proposal;
  if (body === null) return [];
  const applied = applyChanges(deps.edl, context.text, body);
  const environment = applied.text === null ? null : deps.edl.compile(applied.text).environment;
  if (environment !== null && environment.identity !== context.environment.identity) {
    return [{ proposalId, spec: environment.spec }];
  }
  rejectAutomatically(deps, proposalId, 'it no longer applies to the environment that holds now');
  return [];
}

async function tryCandidates(
  deps: CoachDependencies,
  context: RoundContext,
  candidates: readonly TrialCandidate[],
  runTrial: TrialRunner,
  signal: AbortSignal,
): Promise<number> {
  if (candidates.length === 0) return 0;
  const { budgetSteps, chargedSteps, trialSteps, stepsPerIteration, numRounds, round, config } = context;
  const plan = planTrials({
    whatif: config.whatif,
    numCandidates: candidates.length,
    budgetSteps,
    chargedSteps,
    trialSteps,
    stepsPerIteration,
    boundariesLeft: numRounds - 1 - round,
  });
  if (plan === null) {
    for (const { proposalId } of candidates) {
      rejectAutomatically(
        deps,
        proposalId,
        'what is left of the trial budget does not pay for two pairs of one iteration',
      );
    }
    return 0;
  }
  for (const { proposalId } of candidates) {
    deps.store.proposals.setState(proposalId, 'trying');
    deps.onChange?.(proposalId);
  }
  const broken = await runTrials({ context, candidates, plan, trials: deps.store.trials, runTrial, signal });
  for (const { proposalId, error } of broken) {
    rejectAutomatically(deps, proposalId, `training in it broke down: ${error.message}`);
  }
  for (const { proposalId } of candidates) deps.onChange?.(proposalId);
  return broken.reduce((sum, { lostSteps }) => sum + lostSteps, 0);
}
