import type { EnvironmentSpec } from '../../../shared/rl/vec-env.ts';
import { AppError } from '../../../shared/std/app-error.ts';
import type { TrialPair, TrialsWriter } from '../../store/trials.ts';
import { createRandom, seedFor } from '../seeded-random.ts';
import type { RoundContext, TrialRunner } from '../types.ts';
import { concludeTrial } from './conclude-trial.ts';
import { average } from './paired-statistics.ts';
import { maxSurvivors, type TrialPlan } from './plan-trials.ts';

export interface TrialCandidate {
  readonly proposalId: string;
  readonly spec: EnvironmentSpec;
}

export interface TrialInput {
  readonly context: RoundContext;
  readonly candidates: readonly TrialCandidate[];
  readonly plan: TrialPlan;
  readonly trials: TrialsWriter;
  readonly runTrial: TrialRunner;
  readonly signal: AbortSignal;
}

/** A candidate in which training itself broke down. */
export interface BrokenCandidate {
  readonly proposalId: string;
  readonly error: AppError;
  /** Steps that its last branch may have taken, and its control's; charged in full. */
  readonly lostSteps: number;
}

/** Failures of a branch that are the environment's fault: a verdict on it, not the end of the run. */
const faultsOfEnvironment: readonly string[] = ['learner.nonfinite', 'vm.trap'];

/** With up to six pairs every one has to be better for the interval to be; a candidate that lost two is not tried further. */
const maxLosses = 2;

/**
 * Tries candidates against the unchanged environment, pair by pair: each pair forks the policy and trains control and
 * candidates with the same seed. A first pass screens several candidates; survivors are re-tested with fresh seeds,
 * and only those decide, because the pairs that selected them flatter them. Pairs on record are not run again.
 */
export async function runTrials(input: TrialInput): Promise<BrokenCandidate[]> {
  const run = new TrialRun(input);
  await run.screen();
  await run.decide();
  return run.broken;
}

class TrialRun {
  readonly #input: TrialInput;
  readonly #sign: 1 | -1;
  readonly broken: BrokenCandidate[] = [];

  constructor(input: TrialInput) {
    this.#input = input;
    this.#sign = input.context.objective.better === 'higher' ? 1 : -1;
  }

  async screen(): Promise<void> {
    for (let index = 0; index < this.#input.plan.screeningPairs; index++) {
      await this.#runPair(this.#sound(this.#input.candidates), index);
    }
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
    return candidates.filter(
      ({ proposalId }) => !this.broken.some((broken) => broken.proposalId === proposalId),
    );
  }

  #pairs({ proposalId }: TrialCandidate): readonly TrialPair[] {
    return this.#input.trials.find(proposalId)?.pairs ?? [];
  }

  #gain(pairs: readonly TrialPair[]): number {
    return this.#sign * average(pairs.map(({ candidate, control }) => candidate - control));
  }

  /** At most two candidates that beat the control on average in the first pass, best first. */
  #selectSurvivors(): TrialCandidate[] {
    const screened = (candidate: TrialCandidate): number =>
      this.#gain(this.#pairs(candidate).slice(0, this.#input.plan.screeningPairs));
    return this.#sound(this.#input.candidates)
      .filter((candidate) => screened(candidate) > 0)
      .sort((a, b) => screened(b) - screened(a))
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
    const environments = [context.environment.spec, ...candidates.map(({ spec }) => spec)];
    const { episodes } = context.config.whatif;
    try {
      const result = await runTrial({ environments, seed, steps: plan.stepsPerBranch, episodes }, signal);
      this.#store(candidates, seed, result);
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !faultsOfEnvironment.includes(thrown.code)) throw thrown;
      await this.#isolate(candidates, index, thrown);
    }
  }

  /** One of the branches broke: alone, each candidate shows whether it was its own. */
  async #isolate(candidates: readonly TrialCandidate[], index: number, error: AppError): Promise<void> {
    const [only, ...others] = candidates;
    if (only !== undefined && others.length === 0) {
      this.broken.push({
        proposalId: only.proposalId,
        error,
        lostSteps: 2 * this.#input.plan.stepsPerBranch,
      });
      return;
    }
    for (const candidate of candidates) await this.#runPair([candidate], index);
  }

  #store(
    candidates: readonly TrialCandidate[],
    seed: number,
    result: Awaited<ReturnType<TrialRunner>>,
  ): void {
    const [control, ...scores] = result.scores;
    for (const [i, { proposalId }] of candidates.entries()) {
      const candidate = scores[i];
      if (control === undefined || candidate === undefined) {
        throw new AppError(
          'internal',
          `a trial of ${candidates.length} candidates came back with ${result.scores.length} scores`,
        );
      }
      this.#input.trials.addPair(proposalId, {
        seed: String(seed),
        candidate,
        control,
        chargedSteps: partOf(result.trainedSteps, i, candidates.length),
        evaluationSteps: partOf(result.evaluationSteps, i, candidates.length),
      });
    }
  }

  #conclude(candidate: TrialCandidate, isSurvivor: boolean): void {
    const { context, plan, trials } = this.#input;
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
