import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import { mean } from '../../../shared/std/statistics.ts';
import type { TrialPair } from '../../store/trials.ts';
import type { TrialBranch } from '../../train/protocol.ts';
import { createRandom, seedFor } from '../seeded-random.ts';
import type { CoachStore, RoundContext, TrialRunner } from '../types.ts';
import { concludeTrial } from './conclude-trial.ts';
import { betterHalf, maxSurvivors, type TrialPlan } from './plan-trials.ts';
import { describeFailure } from './trial-failure.ts';

export interface TrialCandidate {
  readonly proposalId: string;
  readonly spec: EnvironmentSpec;
}

export interface TrialInput {
  readonly context: RoundContext;
  /** What trains on without any of the candidates. */
  readonly control: EnvironmentSpec;
  readonly candidates: readonly TrialCandidate[];
  readonly plan: TrialPlan;
  readonly store: Pick<CoachStore, 'trials' | 'transaction'>;
  readonly runTrial: TrialRunner;
  readonly signal: AbortSignal;
}

/** With up to six pairs every one has to be better for the interval to be; a candidate that lost two is not tried further. */
const maxLosses = 2;

/**
 * Tries candidates against the unchanged environment, pair by pair: each pair forks the policy and trains control and
 * candidates with the same seed. A first pass screens several candidates, more than two by successive halving: after every
 * rung the better half goes on. Survivors are re-tested with fresh seeds, and only those decide, because the pairs that
 * selected them flatter them. A candidate in which training breaks down is not tried further. Pairs and failures on record are not run again; all of a pair is recorded at once.
 */
export async function runTrials(input: TrialInput): Promise<void> {
  const run = new TrialRun(input);
  await run.screen();
  await run.decide();
}

class TrialRun {
  readonly #input: TrialInput;
  readonly #sign: 1 | -1;
  /** Candidates that are still in the running, best first once any was measured. */
  #left: readonly TrialCandidate[];

  constructor(input: TrialInput) {
    this.#input = input;
    this.#left = input.candidates;
    this.#sign = input.context.objective.better === 'higher' ? 1 : -1;
  }

  async screen(): Promise<void> {
    const { screeningPairs, rungs = [screeningPairs] } = this.#input.plan;
    let numPairs = 0;
    for (const [rung, pairs] of rungs.entries()) {
      for (const until = numPairs + pairs; numPairs < until; numPairs++) {
        await this.#runPair(this.#sound(this.#left), numPairs);
      }
      const ranked = this.#ranked(numPairs);
      this.#left = rung === rungs.length - 1 ? ranked : ranked.slice(0, betterHalf(ranked.length));
    }
  }

  /**
   * Those with so many pairs, best on average first. Who broke down later had them too: a boundary that is gone through again
   * ranks as it did the first time.
   */
  #ranked(numPairs: number): TrialCandidate[] {
    const gain = (candidate: TrialCandidate): number => this.#gain(this.#pairs(candidate).slice(0, numPairs));
    return this.#left
      .filter((candidate) => this.#pairs(candidate).length >= numPairs)
      .sort((a, b) => gain(b) - gain(a));
  }

  async decide(): Promise<void> {
    const { plan, candidates } = this.#input;
    const survivors = plan.screeningPairs === 0 ? candidates : this.#selectSurvivors();
    for (let index = 0; index < plan.decidingPairs; index++) {
      const hopeful = this.#sound(survivors).filter((candidate) => this.#isHopeful(candidate));
      await this.#runPair(hopeful, plan.screeningPairs + index);
    }
    for (const candidate of this.#sound(candidates)) this.#conclude(candidate, survivors.includes(candidate));
  }

  #sound(candidates: readonly TrialCandidate[]): TrialCandidate[] {
    const { trials } = this.#input.store;
    return candidates.filter(({ proposalId }) => (trials.find(proposalId)?.failure ?? null) === null);
  }

  #pairs({ proposalId }: TrialCandidate): readonly TrialPair[] {
    return this.#input.store.trials.find(proposalId)?.pairs ?? [];
  }

  #gain(pairs: readonly TrialPair[]): number {
    return this.#sign * mean(pairs.map(({ candidate, control }) => candidate - control));
  }

  /** At most two candidates that beat the control on average in the first pass, best first. */
  #selectSurvivors(): TrialCandidate[] {
    const { screeningPairs } = this.#input.plan;
    return this.#left
      .filter((candidate) => this.#gain(this.#pairs(candidate).slice(0, screeningPairs)) > 0)
      .slice(0, maxSurvivors);
  }

  /** Stopping early only ever turns a candidate down. */
  #isHopeful(candidate: TrialCandidate): boolean {
    const deciding = this.#pairs(candidate).slice(this.#input.plan.screeningPairs);
    return deciding.filter((pair) => !(this.#gain([pair]) > 0)).length < maxLosses;
  }

  async #runPair(candidates: readonly TrialCandidate[], index: number): Promise<void> {
    const { context, plan, runTrial, signal } = this.#input;
    const seed = seedFor('trial', context.seed, context.round, index);
    const isKnown = (candidate: TrialCandidate): boolean =>
      this.#pairs(candidate).some((pair) => pair.seed === String(seed));
    if (candidates.every(isKnown)) return;
    const environments = [this.#input.control, ...candidates.map(({ spec }) => spec)];
    const { episodes } = context.config.whatif;
    const { branches } = await runTrial({ environments, seed, steps: plan.stepsPerBranch, episodes }, signal);
    this.#record(candidates, String(seed), branches);
  }

  /** Every candidate is charged its own steps and its part of the control's: in all, the steps that were taken. */
  #record(candidates: readonly TrialCandidate[], seed: string, branches: readonly TrialBranch[]): void {
    const [control, ...own] = branches;
    if (control === undefined || own.length !== candidates.length) {
      throw new AppError(
        'internal',
        `a trial of ${candidates.length} candidates came back with ${branches.length} branches`,
      );
    }
    const { store } = this.#input;
    store.transaction(() => {
      for (const [i, { proposalId }] of candidates.entries()) {
        const branch = own[i] ?? control;
        const chargedSteps = branch.trainedSteps + partOf(control.trainedSteps, i, own.length);
        const evaluationSteps = branch.evaluationSteps + partOf(control.evaluationSteps, i, own.length);
        const steps = { seed, chargedSteps, evaluationSteps };
        if (branch.score === null || control.score === null) {
          store.trials.fail(proposalId, { ...steps, message: describeFailure(branch, control) });
        } else {
          store.trials.addPair(proposalId, {
            ...{ ...steps, candidate: branch.score, control: control.score },
            error: Math.hypot(branch.standardError ?? Number.NaN, control.standardError ?? Number.NaN),
          });
        }
      }
    });
  }

  #conclude(candidate: TrialCandidate, isSurvivor: boolean): void {
    const { context, plan } = this.#input;
    const { trials } = this.#input.store;
    if (trials.find(candidate.proposalId)?.summary != null) return;
    const pairs = this.#pairs(candidate);
    if (pairs.length === 0) return;
    const { better } = context.objective;
    const random = createRandom('bootstrap', context.seed, context.round);
    const deciding = pairs.slice(plan.screeningPairs);
    const summary =
      isSurvivor && deciding.length > 0
        ? concludeTrial(deciding, better, random)
        : // Screened out: its own pairs are shown, and they cannot make it the winner.
          { ...concludeTrial(pairs, better, random), verdict: 'notBetter' as const };
    trials.conclude(candidate.proposalId, summary);
  }
}

/** Part `index` of a whole number split into whole parts; the first takes the remainder. */
function partOf(total: number, index: number, parts: number): number {
  const base = Math.floor(total / parts);
  return index === 0 ? total - base * (parts - 1) : base;
}
