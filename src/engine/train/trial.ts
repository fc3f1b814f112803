import type { Learner } from '../../shared/rl/learner.ts';
import { discountingOf } from '../../shared/rl/learner-config.ts';
import type { EnvironmentSpec, VecEnv } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { type Score, scorePolicies } from './objective.ts';
import type { TrainerCommand, TrainerInit, TrialBranch, TrialResult } from './protocol.ts';
import { learnerSeed, trialStreamSeed } from './seeds.ts';
import { WeightFollower } from './weight-follower.ts';

export type TrialCommand = Extract<TrainerCommand, { type: 'trial' }>;

/** What the branches of a trial come from. */
export interface TrialOrigin {
  readonly learner: Learner;
  /** In which it trains. */
  readonly environment: EnvironmentSpec;
}

/** How the outside holds or ends branches between two iterations. */
export interface TrialControl {
  readonly signal: AbortSignal;
  /** Settles at once, or when a pause ends. `onHold` is called before a wait that really waits. */
  passGate(onHold?: () => void): Promise<void>;
}

/**
 * What-if branches of a run. Each environment gets the run's own parameters, moments and normalisation, the same
 * seed and the same episodes, to learn from and to be scored on, so that the environment is all that differs. The branches live in a learner of their
 * own: the run's is only read.
 */
export class TrialBench {
  readonly #deps: TrainerDependencies;
  readonly #init: TrainerInit;
  /** Kept between trials: shapes are constant in a study, and sessions are dear to create. */
  #fork: Learner | null = null;

  constructor(deps: TrainerDependencies, init: TrainerInit) {
    this.#deps = deps;
    this.#init = init;
  }

  /** A branch whose numbers run away has an error and no score. Throws: run.cancelled when aborted. */
  async run(command: TrialCommand, origin: TrialOrigin, control: TrialControl): Promise<TrialResult> {
    const bytes = origin.learner.serialize();
    const home = this.#createEnv(origin.environment, command.seed);
    try {
      const branches: TrialBranch[] = [];
      for (const environment of command.environments) {
        branches.push(await this.#runBranch(command, environment, { bytes, home }, control));
      }
      return { branches };
    } finally {
      home.dispose();
    }
  }

  async #runBranch(
    command: TrialCommand,
    environment: EnvironmentSpec,
    { bytes, home }: { readonly bytes: Uint8Array; readonly home: VecEnv },
    control: TrialControl,
  ): Promise<TrialBranch> {
    const env = this.#createEnv(environment, command.seed);
    let trainedSteps = 0;
    try {
      const fork = this.#fork ?? (await this.#createFork(home));
      // Copies are restored where they were taken: in another environment their states may be none (a smaller field).
      fork.setEnvironment(home);
      fork.restore(bytes);
      env.setTrainingSteps(fork.trainedSteps);
      fork.setEnvironment(env, { seed: learnerSeed(command.seed, 'trial') });
      const weights = WeightFollower.of(environment);
      await betweenIterations(control);
      while (trainedSteps < command.steps) {
        weights?.advance(env, fork.trainedSteps);
        trainedSteps += fork.numSteps;
        await fork.iterate(control.signal);
        await betweenIterations(control);
      }
      const { mean, error, evaluation } = await this.#score(fork, command, control.signal);
      const steps = { trainedSteps, evaluationSteps: evaluation.steps };
      return { score: mean, standardError: error, error: null, ...steps };
    } catch (thrown) {
      // A learner that broke down cannot be used again.
      await this.dispose();
      if (!isBreakdown(thrown)) throw thrown;
      return {
        ...{ score: null, standardError: null, error: thrown.toPayload() },
        ...{ trainedSteps, evaluationSteps: 0 },
      };
    } finally {
      env.dispose();
    }
  }

  #score(fork: Learner, command: TrialCommand, signal: AbortSignal): Promise<Score> {
    const { objective, seed, learner } = this.#init;
    const policies = fork.policies();
    return scorePolicies(this.#deps, {
      objective,
      policies,
      episodes: command.episodes,
      seed: trialStreamSeed(seed, command.seed),
      discounting: discountingOf(learner),
      signal,
    });
  }

  async dispose(): Promise<void> {
    const fork = this.#fork;
    this.#fork = null;
    await fork?.dispose();
  }

  #createEnv(environment: EnvironmentSpec, seed: number): VecEnv {
    const { learner } = this.#init;
    return this.#deps.createVecEnv(environment, {
      numEnvs: learner.numEnvs,
      seed: BigInt(learnerSeed(seed, 'trial')),
      firstEpisode: 0,
      ...discountingOf(learner),
    });
  }

  async #createFork(env: VecEnv): Promise<Learner> {
    const { learner: config, seed, totalSteps } = this.#init;
    this.#fork = await this.#deps.createLearner({
      env,
      config,
      seed: learnerSeed(seed, 'trial'),
      totalSteps,
    });
    return this.#fork;
  }
}

/** Nothing is written before a wait: a trial that is cut off begins anew. */
async function betweenIterations(control: TrialControl): Promise<void> {
  // Messages are taken in here.
  await new Promise((resolve) => setImmediate(resolve));
  await control.passGate();
  control.signal.throwIfAborted();
}

/** Numbers that run away are a finding about the environment; anything else is the trainer's own failure. */
function isBreakdown(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && thrown.code === 'learner.nonfinite';
}

/** The error of whoever waits on a stopped trainer. */
export function cancelled(): AppError {
  return new AppError('run.cancelled', 'the run was stopped; it can be resumed from its last checkpoint.');
}
