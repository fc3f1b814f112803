import type { CoachConfig } from '../config.ts';
import type { RoundContext } from '../types.ts';

/** How the what-if budget of one boundary is spent. */
export interface TrialPlan {
  /** Training steps of every branch, whole iterations. */
  readonly stepsPerBranch: number;
  /** Pairs that select survivors; 0 with a single candidate, where there is nothing to select. */
  readonly screeningPairs: number;
  /** The same by rung; after each but the last the better half of the candidates goes on. Left out: one rung. */
  readonly rungs?: readonly number[];
  /** Pairs with fresh seeds that decide. */
  readonly decidingPairs: number;
}

export interface PlanInput {
  readonly whatif: CoachConfig['whatif'];
  readonly numCandidates: number;
  readonly budgetSteps: number;
  readonly chargedSteps: number;
  readonly trialSteps: number;
  readonly stepsPerIteration: number;
  /** Boundaries that may still ask, this one included. */
  readonly boundariesLeft: number;
}

/** Survivors that are re-tested at most: every further one costs a branch per seed and dilutes the rest. */
export const maxSurvivors = 2;

/** Fewest pairs a decision rests on. */
const minDecidingPairs = 2;

/**
 * Charged steps that this boundary may spend on trials: the share of the budget not yet spent, evenly over the
 * boundaries left but at least half of it, since a harmful environment costs more the longer it stands.
 */
export function trialAllowance(input: PlanInput): number {
  const { whatif, budgetSteps, chargedSteps, trialSteps, boundariesLeft } = input;
  const left = Math.min(whatif.share * budgetSteps - trialSteps, budgetSteps - chargedSteps);
  return Math.max(0, Math.floor(left * Math.max(1 / Math.max(1, boundariesLeft), 0.5)));
}

/**
 * The plan that fits the allowance: all candidates as configured, else with fewer pairs; null if not even the fewest pairs
 * of one iteration each can be paid for.
 */
export function planTrials(input: PlanInput): TrialPlan | null {
  const allowance = trialAllowance(input);
  for (const pairs of pairings(input)) {
    const branches = countBranches(input.numCandidates, pairs);
    const iterations = Math.floor(allowance / branches / input.stepsPerIteration);
    if (iterations >= 1) return { ...pairs, stepsPerBranch: iterations * input.stepsPerIteration };
  }
  return null;
}

/**
 * The plan for as many candidates as the allowance pays for, the first ones of `numCandidates`; null if it does not even pay
 * for one.
 */
export function planAffordable(input: PlanInput): (TrialPlan & { readonly numCandidates: number }) | null {
  for (let { numCandidates } = input; numCandidates >= 1; numCandidates--) {
    const plan = planTrials({ ...input, numCandidates });
    if (plan !== null) return { ...plan, numCandidates };
  }
  return null;
}

type Spending = Pick<
  RoundContext,
  'config' | 'budgetSteps' | 'chargedSteps' | 'trialSteps' | 'stepsPerIteration' | 'numRounds'
>;

/** The same at a boundary of a run, after `round`: the one that has just ended, or a later one. */
export function planAtBoundary(
  context: Spending,
  round: number,
  numCandidates: number,
): ReturnType<typeof planAffordable> {
  return planAffordable(inputAt(context, round, numCandidates));
}

/** What a boundary may spend, and what the smallest trial costs: why nothing can be tried there. */
export function tellShortage(context: Spending, round: number): string {
  const allowance = trialAllowance(inputAt(context, round, 1));
  const least = 2 * minDecidingPairs * context.stepsPerIteration;
  return (
    `trials may take ${allowance} steps at this boundary (half of what is left of their share, more where few boundaries are), ` +
    `and ${minDecidingPairs} pairs of one iteration take ${least}`
  );
}

function inputAt(
  { config, budgetSteps, chargedSteps, trialSteps, stepsPerIteration, numRounds }: Spending,
  round: number,
  numCandidates: number,
): PlanInput {
  // No round ends before its share of the budget is charged.
  const charged = Math.max(chargedSteps, Math.ceil(((round + 1) * budgetSteps) / numRounds));
  const steps = { budgetSteps, chargedSteps: charged, trialSteps, stepsPerIteration };
  return { whatif: config.whatif, numCandidates, ...steps, boundariesLeft: numRounds - 1 - round };
}

type Pairs = Pick<TrialPlan, 'screeningPairs' | 'rungs' | 'decidingPairs'>;

/** Configured first, then ever fewer pairs. */
function pairings({ whatif, numCandidates }: PlanInput): Pairs[] {
  const found: Pairs[] = [];
  if (numCandidates === 1) {
    const most = Math.max(minDecidingPairs, whatif.seeds + whatif.retest);
    for (let decidingPairs = most; decidingPairs >= minDecidingPairs; decidingPairs--)
      found.push({ screeningPairs: 0, decidingPairs });
    return found;
  }
  for (let cut = 0; cut <= whatif.seeds + whatif.retest; cut++) {
    const retest = Math.max(Math.min(minDecidingPairs, whatif.retest), whatif.retest - cut);
    const seeds = Math.max(1, whatif.seeds - Math.max(0, cut - (whatif.retest - retest)));
    if (retest === 0) {
      found.push({ screeningPairs: 0, decidingPairs: Math.max(minDecidingPairs, seeds) });
    } else {
      const rungs = rungsOf(numCandidates, seeds);
      const screeningPairs = rungs.reduce((sum, pairs) => sum + pairs, 0);
      found.push({
        screeningPairs,
        ...(rungs.length > 1 && { rungs }),
        decidingPairs: Math.max(minDecidingPairs, retest),
      });
    }
  }
  return found;
}

/** How many of the candidates of a rung go on to the next. */
export function betterHalf(numCandidates: number): number {
  return Math.max(maxSurvivors, Math.ceil(numCandidates / 2));
}

/**
 * Pairs of each rung. Two candidates are screened in one, with `seeds` pairs; more are halved until two are left, with half
 * as many pairs in every rung, so that pairs go to those that are worth them.
 */
function rungsOf(numCandidates: number, seeds: number): number[] {
  if (numCandidates <= maxSurvivors) return [seeds];
  const rungs: number[] = [];
  const pairs = Math.max(1, Math.floor(seeds / 2));
  for (let left = numCandidates; left > maxSurvivors; left = betterHalf(left)) rungs.push(pairs);
  return [...rungs, pairs];
}

/** Branches in the worst case, that as many survive as may. */
function countBranches(numCandidates: number, { screeningPairs, rungs, decidingPairs }: Pairs): number {
  const survivors = screeningPairs === 0 ? numCandidates : Math.min(maxSurvivors, numCandidates);
  let branches = (survivors + 1) * decidingPairs;
  let left = numCandidates;
  for (const pairs of rungs ?? [screeningPairs]) {
    branches += (left + 1) * pairs;
    left = betterHalf(left);
  }
  return branches;
}
