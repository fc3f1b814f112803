import { describe, expect, test } from 'vitest';
import {
  type PlanInput,
  planAffordable,
  planTrials,
  type TrialPlan,
  trialAllowance,
} from '../../../../src/engine/coach/whatif/plan-trials.ts';

const input: PlanInput = {
  whatif: { share: 0.25, seeds: 2, retest: 3, episodes: 64 },
  numCandidates: 2,
  budgetSteps: 400_000,
  chargedSteps: 100_000,
  trialSteps: 0,
  stepsPerIteration: 1000,
  boundariesLeft: 3,
};

/** Charged in the worst case: all that may survive do. */
function cost(
  { stepsPerBranch, screeningPairs, rungs, decidingPairs }: TrialPlan,
  candidates: number,
): number {
  const survivors = screeningPairs === 0 ? candidates : Math.min(2, candidates);
  const halves = [
    candidates,
    Math.ceil(candidates / 2),
    Math.ceil(candidates / 4),
    Math.ceil(candidates / 8),
  ];
  const screening = (rungs ?? [screeningPairs]).map((pairs, i) => (Math.max(2, halves[i] ?? 0) + 1) * pairs);
  const screened = candidates === 1 ? 0 : screening.reduce((sum, branches) => sum + branches, 0);
  return stepsPerBranch * (screened + (survivors + 1) * decidingPairs);
}

describe('trialAllowance', () => {
  test('is at least half of what is left of the share, and all of it at the last boundary', () => {
    expect(trialAllowance(input)).toBe(50_000);
    expect(trialAllowance({ ...input, boundariesLeft: 1 })).toBe(100_000);
    expect(trialAllowance({ ...input, trialSteps: 80_000 })).toBe(10_000);
  });

  test('never exceeds what is left of the budget', () => {
    expect(trialAllowance({ ...input, chargedSteps: 390_000, boundariesLeft: 1 })).toBe(10_000);
    expect(trialAllowance({ ...input, trialSteps: 100_000 })).toBe(0);
    expect(trialAllowance({ ...input, trialSteps: 120_000 })).toBe(0);
  });
});

describe('planTrials', () => {
  test('screens several candidates and decides on fresh pairs, in whole iterations', () => {
    // 3 × 2 + 3 × 3 = 15 branches of 50 000 / 15 = 3333 steps: three iterations.
    expect(planTrials(input)).toEqual({ screeningPairs: 2, decidingPairs: 3, stepsPerBranch: 3000 });
  });

  test.each([
    [3, [1, 1]],
    [4, [1, 1]],
    [5, [1, 1, 1]],
    [8, [1, 1, 1]],
    [16, [1, 1, 1, 1]],
  ])('halves %i candidates rung by rung until two are left', (numCandidates, rungs) => {
    const plan = planTrials({ ...input, numCandidates });
    expect(plan).toMatchObject({ rungs, screeningPairs: rungs.length, decidingPairs: 3 });
  });

  test('many pairs of the first pass are halved among the rungs', () => {
    const whatif = { ...input.whatif, seeds: 7 };
    expect(planTrials({ ...input, numCandidates: 6, whatif })).toMatchObject({
      rungs: [3, 3, 3],
      screeningPairs: 9,
    });
  });

  test('costs less than trying all candidates with all pairs', () => {
    const plan = planTrials({ ...input, numCandidates: 8 });
    // 9 + 5 + 3 branches that screen in place of 9 × 2, and 3 × 3 that decide.
    expect(plan?.stepsPerBranch).toBe(Math.floor(50_000 / 26 / 1000) * 1000);
  });

  test('with one candidate every pair decides', () => {
    expect(planTrials({ ...input, numCandidates: 1 })).toEqual({
      screeningPairs: 0,
      decidingPairs: 5,
      stepsPerBranch: 5000,
    });
  });

  test('with too little for all pairs it plans fewer, down to two', () => {
    expect(planTrials({ ...input, stepsPerIteration: 5000 })).toEqual({
      screeningPairs: 1,
      decidingPairs: 2,
      stepsPerBranch: 5000,
    });
    expect(planTrials({ ...input, stepsPerIteration: 6000 })).toBeNull();
  });

  test('never plans beyond the allowance (all small settings)', () => {
    for (let numCandidates = 1; numCandidates <= 9; numCandidates++) {
      for (let seeds = 1; seeds <= 4; seeds++) {
        for (let retest = 0; retest <= 4; retest++) {
          const wanted = { ...input, numCandidates, whatif: { ...input.whatif, seeds, retest } };
          const plan = planTrials(wanted);
          if (plan === null) throw new Error('the allowance pays for this');
          expect(cost(plan, numCandidates)).toBeLessThanOrEqual(trialAllowance(wanted));
          expect(plan.decidingPairs).toBeGreaterThanOrEqual(2);
        }
      }
    }
  });
});

describe('planAffordable', () => {
  /** 90 000 steps over three rounds, 30 % for trials, iterations of 1600 steps: 13 500 may be spent at the first boundary. */
  const tight: PlanInput = {
    whatif: { share: 0.3, seeds: 1, retest: 2, episodes: 64 },
    numCandidates: 2,
    budgetSteps: 90_000,
    chargedSteps: 30_000,
    trialSteps: 0,
    stepsPerIteration: 1600,
    boundariesLeft: 2,
  };

  test('tries one candidate where two cannot be paid for', () => {
    expect(trialAllowance(tight)).toBe(13_500);
    expect(planTrials(tight)).toBeNull();
    const plan = planAffordable(tight);
    expect(plan).toEqual({ numCandidates: 1, screeningPairs: 0, decidingPairs: 3, stepsPerBranch: 1600 });
  });

  test('tries as many as can be paid for', () => {
    const whatif = { ...tight.whatif, retest: 0 };
    expect(planAffordable({ ...tight, numCandidates: 5, whatif })).toMatchObject({ numCandidates: 3 });
    expect(planAffordable(input)).toMatchObject({ numCandidates: 2, ...planTrials(input) });
  });

  test('is null where two pairs of one iteration cannot be paid for', () => {
    expect(planAffordable({ ...tight, stepsPerIteration: 3375 })).toMatchObject({ decidingPairs: 2 });
    expect(planAffordable({ ...tight, stepsPerIteration: 3376 })).toBeNull();
  });
});
