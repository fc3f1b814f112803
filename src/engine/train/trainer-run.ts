import { describeTrap } from '../../shared/rl/describe-trap.ts';
import { discountingOf, stepsPerIteration } from '../../shared/rl/learner-config.ts';
import type { TrapRecord } from '../../shared/rl/vec-env.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { readCheckpoint, type TrainerState, writeCheckpoint } from './checkpoint-file.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { prepareDirectory } from './files.ts';
import { scoreHeldOut } from './held-out.ts';
import { MetricStream } from './metric-stream.ts';
import { agentPoints, evaluationPoints, type Score, scorePolicies } from './objective.ts';
import type {
  CheckpointRef,
  RoundReport,
  SeriesPoint,
  TrainerCommand,
  TrainerEvent,
  TrainerInit,
  TrainerReady,
} from './protocol.ts';
import { RoundCounts } from './round-counts.ts';
import { type Place, Seat } from './seat.ts';
import { streamSeed } from './seeds.ts';
import { SolvedStarts } from './solved-starts.ts';
import type { TrialControl, TrialOrigin } from './trial.ts';

export type TrainCommand = Extract<TrainerCommand, { type: 'train' }>;

/** How the outside holds or ends a run between two iterations, and what it is told meanwhile. */
export interface RunControl extends TrialControl {
  emit(event: TrainerEvent): void;
}

/**
 * One run's training: a pure function of its init, the commands and the seed, wherever it is interrupted. All that
 * the future depends on is in the learner's bytes and in the counters below; both go into every checkpoint.
 */
export class TrainerRun {
  readonly #deps: TrainerDependencies;
  readonly init: TrainerInit;
  #seat: Seat | null = null;
  #counts = new RoundCounts();
  #solved = new SolvedStarts();
  #round = 0;
  #isRoundEnd = false;
  #ownSteps = 0;
  #chargedOffset = 0;
  #nextEvaluation = 0;
  #lastRecord: string | null = null;
  #checkpointAt: number;
  readonly #stream: MetricStream;

  private constructor(deps: TrainerDependencies, init: TrainerInit) {
    this.#deps = deps;
    this.init = init;
    this.#stream = new MetricStream(() => deps.now());
    this.#checkpointAt = deps.now() + init.checkpointEveryMs;
  }

  /** Throws: learner.badCheckpoint, workspace.readOnly, workspace.diskFull. */
  static async open(deps: TrainerDependencies, init: TrainerInit): Promise<TrainerRun> {
    prepareDirectory(init.directory);
    const run = new TrainerRun(deps, init);
    if (init.checkpoint !== null) {
      const { state, learner } = readCheckpoint(init.directory, init.checkpoint, init);
      await run.#resume(state, learner);
    }
    return run;
  }

  get ready(): TrainerReady {
    return {
      ownSteps: this.#ownSteps,
      round: this.#round,
      sequence: this.#stream.sequence,
      parameterHash: this.#seat?.learner.parameterHash() ?? '',
      stepsPerIteration: stepsPerIteration(this.init.learner),
    };
  }

  /** Learner and environment as they stand, for branches; null before the first round. */
  get origin(): TrialOrigin | null {
    return this.#seat && { learner: this.#seat.learner, environment: this.#seat.spec };
  }

  get #chargedSteps(): number {
    return this.#ownSteps + this.#chargedOffset;
  }

  /** Trains to the end of the round and reports it. Throws: run.cancelled after a stop's checkpoint, learner.nonfinite. */
  async train(command: TrainCommand, control: RunControl): Promise<RoundReport> {
    const seat = await this.#enterRound(command);
    this.#stream.beginRound(this.#ownSteps);
    while (this.#ownSteps < command.untilOwnSteps) {
      if (this.#chargedSteps >= this.#nextEvaluation) this.#send(control, await this.#evaluate());
      const isLast = this.#ownSteps + seat.learner.numSteps >= command.untilOwnSteps;
      if (isLast) seat.startRecord();
      this.#send(control, await this.#iterate(seat, control));
      if (isLast) break;
      if (this.#deps.now() >= this.#checkpointAt) this.checkpoint(control);
      await this.#passGate(control);
    }
    return this.#finishRound(seat, control);
  }

  /**
   * Puts the learner back to how it stood in a checkpoint of this run. What was counted since stays counted: steps, points, rounds.
   * Throws: learner.badCheckpoint; input.invalid within a round, or before the first.
   */
  async takeUp(checkpoint: string): Promise<null> {
    if (this.#seat === null || !this.#isRoundEnd)
      throw new AppError('input.invalid', 'a learner goes back between two rounds only');
    this.#goBack(this.#seat, checkpoint);
    return null;
  }

  /** Writes what is needed to go on from here and tells its name. */
  checkpoint(control: RunControl): void {
    control.emit({ type: 'checkpoint', checkpoint: this.#writeCheckpoint() });
  }

  async dispose(): Promise<void> {
    await this.#seat?.dispose();
    this.#seat = null;
  }

  async #passGate(control: RunControl): Promise<void> {
    // Messages are taken in between two iterations.
    await new Promise((resolve) => setImmediate(resolve));
    await control.passGate(() => this.checkpoint(control));
    if (!control.signal.aborted) return;
    this.checkpoint(control);
    control.signal.throwIfAborted();
  }

  async #resume(state: TrainerState, bytes: Uint8Array): Promise<void> {
    const seat = await this.#sit(state);
    if (state.shaping !== undefined) seat.weights?.load(seat.env, state.shaping);
    seat.learner.restore(bytes);
    this.#round = state.round;
    this.#isRoundEnd = state.isRoundEnd;
    this.#ownSteps = state.ownSteps;
    this.#chargedOffset = state.chargedOffset;
    this.#stream.load(state.sequence);
    this.#nextEvaluation = state.nextEvaluation;
    this.#lastRecord = state.lastRecord;
    this.#counts = RoundCounts.from(state.observed);
    this.#solved = new SolvedStarts(state.solved);
    seat.env.window.load(state.observed.window);
  }

  async #enterRound(command: TrainCommand): Promise<Seat> {
    this.#chargedOffset = command.chargedOffset;
    const seat = this.#seat ?? (await this.#sit(command));
    const isNew = command.round !== this.#round || this.#isRoundEnd;
    if (isNew && command.takeUp !== undefined) this.#goBack(seat, command.takeUp);
    if (seat.identity !== command.environmentIdentity) seat.move(command);
    if (isNew) {
      this.#round = command.round;
      this.#isRoundEnd = false;
      this.#counts = new RoundCounts();
      seat.beginRound(command.environment);
    }
    return seat;
  }

  #goBack(seat: Seat, checkpoint: string): void {
    const { state, learner } = readCheckpoint(this.init.directory, checkpoint, this.init);
    seat.takeUp(state, learner);
    // What was scored and recorded in between is of a policy that is gone.
    this.#lastRecord = state.lastRecord;
    this.#solved = new SolvedStarts(state.solved);
  }

  async #sit(place: Place): Promise<Seat> {
    this.#seat = await Seat.take(this.#deps, this.init, place);
    return this.#seat;
  }

  async #iterate(seat: Seat, control: RunControl): Promise<SeriesPoint[]> {
    // What fades, fades with the steps that the policy has learned from: fewer than were taken once it went back.
    const begun = seat.learner.trainedSteps;
    seat.weights?.advance(seat.env, begun);
    const stats = await seat.learner.iterate();
    this.#ownSteps += stats.steps;
    const traps = seat.env.takeTraps();
    if (this.#counts.numTraps === 0) warnOfTraps(traps, control);
    this.#counts.add(stats.steps, seat.env.takeFireCounts(), traps);
    const step = this.#chargedSteps;
    const points = stats.metrics.map(({ key, value }) => ({ key, step, value }));
    if (seat.spec.program !== null) points.push({ key: 'charts/traps', step, value: traps.length });
    if (seat.weights !== null) points.push(...seat.weights.points(seat.spec, begun, step));
    for (const [name, value] of seat.env.takeRegimeShares()) {
      points.push({ key: `charts/regime/${name}`, step, value });
    }
    return points;
  }

  async #evaluate(): Promise<SeriesPoint[]> {
    const score = await this.#score();
    this.#planEvaluation();
    return this.#evaluationPoints(score);
  }

  /** The next point of the grid. */
  #planEvaluation(): void {
    const { evaluateEverySteps } = this.init;
    this.#nextEvaluation = (Math.floor(this.#chargedSteps / evaluateEverySteps) + 1) * evaluateEverySteps;
  }

  /** Figures of the evaluation, and those of single agents in the last episodes trained in this round. */
  #evaluationPoints(score: Score): SeriesPoint[] {
    const step = this.#chargedSteps;
    const perAgent = this.#seat?.agentMeans() ?? {};
    return [...evaluationPoints(score, this.init.objective, step), ...agentPoints('charts', perAgent, step)];
  }

  async #score(): Promise<Score> {
    const { objective, seed, learner } = this.init;
    const policies = this.#seat?.learner.policies() ?? [];
    const { episodes } = objective;
    const score = await scorePolicies(this.#deps, {
      objective,
      policies,
      episodes,
      seed: streamSeed(seed, 'objective'),
      discounting: discountingOf(learner),
    });
    this.#counts.evaluationSteps += score.evaluation.steps;
    const success = score.evaluation.groups[objective.group]?.metrics.success;
    if (success !== undefined) this.#solved.add(success.values);
    return score;
  }

  async #finishRound(seat: Seat, control: RunControl): Promise<RoundReport> {
    const score = await this.#score();
    this.#planEvaluation();
    this.#send(control, this.#evaluationPoints(score));
    await this.#scoreHeldOut(seat, control);
    const record = seat.writeRecord(this.#round, this.#lastRecord);
    this.#lastRecord = record;
    const policies = await seat.writePolicies();
    this.#isRoundEnd = true;
    const checkpoint = this.#writeCheckpoint();
    const means = seat.env.window.means();
    return {
      round: this.#round,
      ownSteps: this.#ownSteps,
      trainedSteps: seat.learner.trainedSteps,
      chargedSteps: this.#chargedSteps,
      objective: score.mean,
      objectiveError: score.error,
      parameterHash: checkpoint.parameterHash,
      checkpoint,
      record,
      policies,
      traps: this.#counts.traps,
      numTraps: this.#counts.numTraps,
      fireRates: this.#counts.rates(seat.spec.program),
      agentMetrics: means.metrics,
      agentComponents: means.components,
      evaluationSteps: this.#counts.evaluationSteps,
      ...(this.#solved.state.starts > 0 && { solved: this.#solved.state }),
      actionShares: score.evaluation.actionShares,
      ...(seat.weights !== null && { shaping: seat.weights.state }),
    };
  }

  async #scoreHeldOut({ learner }: Seat, control: RunControl): Promise<void> {
    const scored = await scoreHeldOut(this.#deps, this.init, learner.policies(), this.#chargedSteps);
    this.#counts.evaluationSteps += scored.steps;
    if (scored.points.length > 0) this.#send(control, scored.points);
  }

  #send(control: RunControl, points: readonly SeriesPoint[]): void {
    const emit = (event: TrainerEvent): void => control.emit(event);
    this.#stream.send(emit, points, { ownSteps: this.#ownSteps, chargedSteps: this.#chargedSteps });
  }

  #writeCheckpoint(): CheckpointRef {
    const seat = this.#seat;
    if (seat === null) throw new RangeError('a run that has not begun has no state to write');
    const file = writeCheckpoint(this.init.directory, this.#state(seat), seat.learner.serialize());
    this.#checkpointAt = this.#deps.now() + this.init.checkpointEveryMs;
    return {
      file,
      ownSteps: this.#ownSteps,
      chargedSteps: this.#chargedSteps,
      round: this.#round,
      isRoundEnd: this.#isRoundEnd,
      sequence: this.#stream.sequence,
      parameterHash: seat.learner.parameterHash(),
    };
  }

  #state(seat: Seat): TrainerState {
    return {
      runId: this.init.runId,
      seed: this.init.seed,
      round: this.#round,
      isRoundEnd: this.#isRoundEnd,
      ownSteps: this.#ownSteps,
      chargedOffset: this.#chargedOffset,
      sequence: this.#stream.sequence,
      nextEvaluation: this.#nextEvaluation,
      environment: seat.spec,
      environmentIdentity: seat.identity,
      lastRecord: this.#lastRecord,
      ...(this.#solved.state.starts > 0 && { solved: this.#solved.state }),
      ...(seat.weights !== null && { shaping: seat.weights.state }),
      observed: { ...this.#counts.save(), window: seat.env.window.save() },
    };
  }
}

/** A trap cuts its episode short: whoever trains on what is left has to know, at the first of a round. */
function warnOfTraps([first]: readonly TrapRecord[], control: RunControl): void {
  if (first === undefined) return;
  const message = `${describeTrap(first)}: the episode was cut short there; charts/traps counts such episodes`;
  control.emit({ type: 'log', level: 'warning', message });
}
