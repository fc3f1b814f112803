import { join } from 'node:path';
import { AppError } from '../../shared/std/app-error.ts';
import { bringIntoForce } from '../coach/in-force.ts';
import { specInForce } from '../coach/shaping/follow-change.ts';
import type { CheckpointRecord } from '../store/index.ts';
import { Gate } from '../train/gate.ts';
import type { TrainerEvent, TrainerInit } from '../train/protocol.ts';
import { type BoundaryTools, crossBoundary, planOf } from './boundary.ts';
import { firstStage } from './curriculum.ts';
import { specWithPlayers } from './experiment-players.ts';
import { type RoundPlan, roundTakenUp, withPlan } from './loop-state.ts';
import { compileText, type RunIdentity, readRoundContext, runDirectory, settingOf } from './round-context.ts';
import { RunRecorder } from './run-recorder.ts';
import type { RunServices } from './services.ts';
import { disciplineOf, firstShaping, readRunning } from './shaping-plan.ts';
import { TrainerProcess } from './trainer-process.ts';

type Report = Exclude<TrainerEvent, { type: 'done' | 'failed' }>;

/** How often a dead trainer is replaced before the run fails. */
const allowedRestarts = 1;

/**
 * Drives one run round by round until it is finished, stopped or failed. Every transition is on record before the
 * next begins, and everything is read back from the record: `drive` starts a run and takes one up again alike.
 */
export class RunDriver {
  readonly #services: RunServices;
  readonly #run: RunIdentity;
  readonly #record: RunRecorder;
  readonly #stop = new AbortController();
  /** A pause holds what comes next here; rounds and trials at work are held in the trainer. */
  readonly #gate = new Gate(this.#stop.signal);
  #trainer: TrainerProcess | null = null;
  /** A failure of the record while a report was taken down; the trainer is ended for it. */
  #fault: AppError | null = null;
  #answer: { readonly askedRound: number; readonly given: Promise<unknown> } | null = null;

  constructor(services: RunServices, run: RunIdentity) {
    this.#services = services;
    this.#run = run;
    this.#record = new RunRecorder(services, run);
  }

  /** Throws: the AppError that ended the run, trainer.died after one restart. */
  async drive(): Promise<'finished' | 'stopped'> {
    try {
      return await this.#driveOn();
    } finally {
      // A question that is still with the coach has nobody left to answer to.
      this.#stop.abort(stopped());
    }
  }

  /**
   * Holds the run after the current iteration, be it of a round or of a trial. No coach is asked meanwhile; one that is at work on its
   * answer still gives it.
   */
  async pause(): Promise<void> {
    this.#gate.close();
    await this.#trainer?.pause().catch(unlessDead);
  }

  async unpause(): Promise<void> {
    this.#gate.open();
    await this.#trainer?.unpause().catch(unlessDead);
  }

  /** Asks the run to end after a checkpoint; `drive` settles when it has. */
  stop(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort(stopped());
    // A trainer that is gone already has nothing left to stop; drive sees its death.
    this.#trainer?.stop().catch(() => {});
  }

  async #driveOn(): Promise<'finished' | 'stopped'> {
    for (let restarts = 0; ; restarts++) {
      try {
        await this.#attempt();
        return 'finished';
      } catch (thrown) {
        if (this.#stop.signal.aborted) return 'stopped';
        const error = this.#fault ?? AppError.from(thrown);
        if (error.code !== 'trainer.died' || restarts >= allowedRestarts) throw error;
        this.#record.log('warning', `${error.message} Going on from its last checkpoint.`);
      } finally {
        await this.#endTrainer();
      }
    }
  }

  async #attempt(): Promise<void> {
    const { experiment } = this.#run;
    this.#fault = null;
    const checkpoint = this.#record.cutBack();
    await this.#startTrainer(checkpoint);
    let isTrained = checkpoint?.isRoundEnd ?? false;
    for (let round = checkpoint?.round ?? 0; round < experiment.budget.rounds; round++) {
      const plan = this.#planFor(round);
      await this.#passGate();
      if (!isTrained) await this.#trainRound(round, plan);
      isTrained = false;
      if (round + 1 === experiment.budget.rounds) break;
      await this.#passGate();
      await this.#crossBoundary(round);
    }
    this.#record.patch({ stepsPerSecond: null });
  }

  #planFor(round: number): RoundPlan {
    const { store } = this.#services;
    const state = this.#record.loop();
    const planned = state.plans[round];
    if (planned !== undefined) return planned;
    const { text, compiled } = this.#run.arm.environment;
    const inForce = bringIntoForce(compiled, { opponents: {}, stage: null });
    const first: RoundPlan = {
      textHash: store.texts.put(text),
      identity: inForce.identity,
      trialSteps: 0,
      incumbent: null,
      question: null,
      rolledBackRound: null,
      stage: firstStage(compiled, 0),
      move: null,
      shaping: firstShaping(store, this.#run.arm, inForce),
    };
    const { capacities } = compiled;
    this.#record.patch({ loop: { ...withPlan(state, 0, first), capacities } });
    return first;
  }

  async #trainRound(round: number, plan: RoundPlan): Promise<void> {
    const { store, now } = this.#services;
    const { runId, experiment } = this.#run;
    const setting = settingOf(this.#services, this.#run, plan.stage);
    const compile = (text: string) => bringIntoForce(compileText(this.#services, text, setting), setting);
    const { spec, identity } = compile(store.texts.get(plan.textHash));
    const discipline = disciplineOf(this.#run.arm);
    if (identity !== plan.identity) {
      throw new AppError(
        'run.failed',
        `the environment of round ${round + 1} means something else in this version (identity ${identity.slice(0, 12)}, on record ${plan.identity.slice(0, 12)}); start a new study.`,
      );
    }
    if (store.rounds.find(runId, round) === null) {
      store.rounds.begin({
        runId,
        round,
        environmentHash: plan.textHash,
        environmentIdentity: identity,
        startedAt: now(),
      });
    }
    this.#record.patch({ round });
    if (plan.question !== null)
      this.#putQuestion(plan.question, planOf(this.#record.loop(), plan.question.askedRound + 1));
    const takenUp = roundTakenUp(this.#record.loop(), round);
    const until = Math.ceil(((round + 1) * experiment.budget.steps) / experiment.budget.rounds);
    const report = await this.#trainerAtWork().train({
      round,
      ...(discipline === null || plan.shaping === null
        ? { environment: spec, environmentIdentity: identity }
        : {
            environment: specInForce(readRunning(store, plan, compile), discipline),
            environmentIdentity: plan.shaping.identity,
          }),
      untilOwnSteps: until - plan.trialSteps,
      chargedOffset: plan.trialSteps,
      ...(takenUp !== null && { takeUp: this.#checkpointOf(takenUp) }),
    });
    if (this.#fault !== null) throw this.#fault;
    this.#record.finishRound(report);
  }

  /** How the learner stood at the end of a round: these checkpoints are kept. */
  #checkpointOf(round: number): string {
    const { runId } = this.#run;
    const outcome = this.#services.store.rounds.find(runId, round)?.outcome;
    if (outcome == null) throw new AppError('internal', `round ${round} of ${runId} has not ended`);
    return outcome.checkpointFile;
  }

  #crossBoundary(round: number): Promise<void> {
    const tools: BoundaryTools = {
      services: this.#services,
      run: this.#run,
      signal: this.#stop.signal,
      runTrial: (request) => this.#trainerAtWork().trial(request),
      takeUp: async (ended) => {
        await this.#trainerAtWork().takeUp(this.#checkpointOf(ended));
        // The coach is asked next.
        await this.#passGate();
      },
      awaitAnswer: (question) => this.#awaitAnswer(question),
      log: (message) => this.#record.log('info', message),
    };
    return crossBoundary(tools, round);
  }

  #putQuestion(question: NonNullable<RoundPlan['question']>, plan: RoundPlan): void {
    if (this.#answer?.askedRound === question.askedRound) return;
    const { textHash, trialSteps, stage } = plan;
    const { askedRound: asked, isRequested } = question;
    const boundary = { round: asked, isRequested, textHash, trialSteps, stage };
    const context = readRoundContext(this.#services, this.#run, boundary);
    const { coach } = this.#services;
    const reason = coach.shouldAsk(context);
    const given = reason === null ? Promise.resolve() : coach.ask(context, reason, this.#stop.signal);
    // Whoever awaits the answer gets its failure; nobody may be waiting yet.
    given.catch(() => {});
    this.#answer = { askedRound: question.askedRound, given };
  }

  async #awaitAnswer(question: NonNullable<RoundPlan['question']>): Promise<void> {
    this.#putQuestion(question, planOf(this.#record.loop(), question.askedRound + 1));
    await this.#answer?.given;
    this.#answer = null;
  }

  async #startTrainer(checkpoint: CheckpointRecord | null): Promise<void> {
    const { root, checkpointEveryMs, trainerPath } = this.#services;
    const { experiment, arm, runId, seed } = this.#run;
    this.#stop.signal.throwIfAborted();
    const { metric, group, episodes, environment, opponents } = experiment.objective;
    const heldOut = experiment.heldOut.map(({ name, environment: { compiled }, opponents: players }) => ({
      name,
      environment: specWithPlayers(compiled, players),
    }));
    const init: TrainerInit = {
      runId,
      seed,
      learner: arm.learner,
      objective: {
        metric,
        group,
        episodes,
        environment: specWithPlayers(environment.compiled, opponents),
      },
      ...(heldOut.length > 0 && { heldOut }),
      evaluateEverySteps: experiment.evaluateEverySteps,
      totalSteps: experiment.budget.steps,
      directory: join(root, runDirectory(runId)),
      checkpoint: checkpoint?.file ?? null,
      checkpointEveryMs,
    };
    this.#trainer = new TrainerProcess(trainerPath, (report) => this.#takeDown(report));
    if (this.#gate.isClosed) await this.#trainer.pause();
    await this.#trainer.init(init);
  }

  async #endTrainer(): Promise<void> {
    const trainer = this.#trainer;
    this.#trainer = null;
    await trainer?.end();
  }

  /** Throws: run.cancelled after a stop. */
  async #passGate(): Promise<void> {
    await this.#gate.pass();
    this.#stop.signal.throwIfAborted();
  }

  #trainerAtWork(): TrainerProcess {
    this.#stop.signal.throwIfAborted();
    if (this.#trainer === null) throw new RangeError('the run has no trainer');
    return this.#trainer;
  }

  /** Puts a report on record. A failure of the record ends the trainer: numbers that cannot be kept are not made. */
  #takeDown(report: Report): void {
    if (this.#fault !== null) return;
    try {
      switch (report.type) {
        case 'metrics':
          this.#record.appendMetrics(report);
          break;
        case 'checkpoint':
          this.#record.addCheckpoint(report.checkpoint);
          break;
        case 'log':
          this.#record.log(report.level, report.message, 'trainer');
          break;
      }
    } catch (thrown) {
      this.#fault = AppError.from(thrown);
      this.#trainer?.kill();
    }
  }
}

/** A trainer that died needs no telling: the one that replaces it starts as the run stands. */
function unlessDead(thrown: unknown): void {
  if (AppError.from(thrown).code !== 'trainer.died') throw thrown;
}

function stopped(): AppError {
  return new AppError('run.cancelled', 'the run was stopped; it can be resumed.');
}
