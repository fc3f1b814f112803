import type { Learner } from '../../shared/rl/learner.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { scorePolicies } from './objective.ts';
import type { TrainerCommand, TrainerInit, TrialResult } from './protocol.ts';
import { learnerSeed, streamSeed } from './seeds.ts';

export type TrialCommand = Extract<TrainerCommand, { type: 'trial' }>;

/**
 * What-if branches of a run. Each environment gets the run's own parameters, moments and normalisation, the same
 * seed and the same episodes, so that the environment is all that differs. The branches live in a learner of their
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

  /** Throws: run.cancelled when aborted, learner.nonfinite. */
  async run(command: TrialCommand, origin: Learner, signal: AbortSignal): Promise<TrialResult> {
    const bytes = origin.serialize();
    const scores: number[] = [];
    let trainedSteps = 0;
    let evaluationSteps = 0;
    for (const environment of command.environments) {
      const env = this.#deps.createVecEnv(environment, {
        numEnvs: this.#init.learner.numEnvs,
        seed: streamSeed(command.seed, 'train'),
        firstEpisode: 0,
      });
      try {
        const fork = this.#fork ?? (await this.#createFork(env));
        // Restoring needs copies to restore into; a fork's last batch is gone by now, so it sits down first.
        fork.setEnvironment(env);
        fork.restore(bytes);
        fork.setEnvironment(env, { seed: learnerSeed(command.seed, 'trial') });
        for (let steps = 0; steps < command.steps; ) {
          signal.throwIfAborted();
          steps += (await fork.iterate(signal)).steps;
          trainedSteps += fork.numSteps;
          await new Promise((resolve) => setImmediate(resolve));
        }
        const score = await scorePolicies(this.#deps, {
          objective: this.#init.objective,
          policies: fork.policies(),
          episodes: command.episodes,
          seed: streamSeed(this.#init.seed, 'whatif'),
          signal,
        });
        scores.push(score.mean);
        evaluationSteps += score.evaluation.steps;
      } catch (thrown) {
        await this.dispose();
        throw thrown;
      } finally {
        env.dispose();
      }
    }
    return { scores, trainedSteps, evaluationSteps };
  }

  async dispose(): Promise<void> {
    const fork = this.#fork;
    this.#fork = null;
    await fork?.dispose();
  }

  async #createFork(env: Parameters<TrainerDependencies['createLearner']>[0]['env']): Promise<Learner> {
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

/** The error of whoever waits on a stopped trainer. */
export function cancelled(): AppError {
  return new AppError('run.cancelled', 'the run was stopped; it can be resumed from its last checkpoint.');
}
