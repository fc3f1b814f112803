import { describeTrap } from '../../shared/rl/describe-trap.ts';
import type { Learner } from '../../shared/rl/learner.ts';
import { stepsPerIteration } from '../../shared/rl/learner-config.ts';
import type { EnvironmentSpec, TrapRecord } from '../../shared/rl/vec-env.ts';
import { readCheckpoint, type TrainerState, writeCheckpoint } from './checkpoint-file.ts';
import type { TrainerDependencies } from './dependencies.ts';
import { EpisodeWindow } from './episode-window.ts';
import { prepareDirectory, writeContentFile } from './files.ts';
import { scoreHeldOut } from './held-out.ts';
import { agentPoints, evaluationPoints, type Score, scorePolicies } from './objective.ts';
import { ObservedEnv } from './observed-env.ts';
import type {
  CheckpointRef,
  ObjectiveConfig,
  PolicyFile,
  RoundReport,
  SeriesPoint,
  TrainerCommand,
  TrainerEvent,
  TrainerInit,
  TrainerReady,
} from './protocol.ts';
import { copiesToRecord, writeRecord } from './record-file.ts';
import { RoundCounts } from './round-counts.ts';
import { learnerSeed, streamSeed } from './seeds.ts';
import { SolvedStarts } from './solved-starts.ts';
import type { TrialOrigin } from './trial.ts';
import { WeightFollower } from './weight-follower.ts';

export type TrainCommand = Extract<TrainerCommand, { type: 'train' }>;

/** How the outside holds or ends a run between two iterations. */
export interface RunControl {
  readonly signal: AbortSignal;
  /** Settles at once, or when a pause ends. `onHold` is called before a wait that really waits. */
  passGate(onHold: () => void): Promise<void>;
  emit(event: TrainerEvent): void;
}

/** The learner with the batch it plays in. */
interface Seat {
  learner: Learner;
  env: ObservedEnv;
  spec: EnvironmentSpec;
  identity: string;
  /** Null where all of the shaping is in force as it stands. */
  weights: WeightFollower | null;
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
  #sequence = 0;
  #nextEvaluation = 0;
  #lastRecord: string | null = null;
  #checkpointAt: number;
  #speed = { at: 0, steps: 0, perSecond: 0 };

  private constructor(deps: TrainerDependencies, init: TrainerInit) {
    this.#deps = deps;
    this.init = init;
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
      sequence: this.#sequence,
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
    this.#speed = { at: this.#deps.now(), steps: this.#ownSteps, perSecond: 0 };
    while (this.#ownSteps < command.untilOwnSteps) {
      if (this.#chargedSteps >= this.#nextEvaluation) this.#emit(control, await this.#evaluate());
      const isLast = this.#ownSteps + seat.learner.numSteps >= command.untilOwnSteps;
      if (isLast) seat.env.record(copiesToRecord(seat.env.snapshot(0).length, this.init.learner.numSteps));
      this.#emit(control, await this.#iterate(seat, control));
      if (isLast) break;
      if (this.#deps.now() >= this.#checkpointAt) this.checkpoint(control);
      await this.#passGate(control);
    }
    return this.#finishRound(seat, control);
  }

  /** Writes what is needed to go on from here and tells its name. */
  checkpoint(control: RunControl): void {
    control.emit({ type: 'checkpoint', checkpoint: this.#writeCheckpoint() });
  }

  async dispose(): Promise<void> {
    await this.#seat?.learner.dispose();
    this.#seat?.env.dispose();
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
    const seat = await this.#sit(state.environment, state.environmentIdentity);
    if (state.shaping !== undefined) seat.weights?.load(seat.env, state.shaping);
    seat.learner.restore(bytes);
    this.#round = state.round;
    this.#isRoundEnd = state.isRoundEnd;
    this.#ownSteps = state.ownSteps;
    this.#chargedOffset = state.chargedOffset;
    this.#sequence = state.sequence;
    this.#nextEvaluation = state.nextEvaluation;
    this.#lastRecord = state.lastRecord;
    this.#counts = RoundCounts.from(state.observed);
    this.#solved = new SolvedStarts(state.solved);
    seat.env.window.load(state.observed.window);
  }

  async #enterRound(command: TrainCommand): Promise<Seat> {
    this.#chargedOffset = command.chargedOffset;
    const seat = this.#seat ?? (await this.#sit(command.environment, command.environmentIdentity));
    if (seat.identity !== command.environmentIdentity) this.#move(seat, command);
    if (command.round !== this.#round || this.#isRoundEnd) {
      this.#round = command.round;
      this.#isRoundEnd = false;
      this.#counts = new RoundCounts();
      seat.env.window.clear();
      seat.spec = command.environment;
      seat.weights = WeightFollower.of(command.environment);
      seat.weights?.begin(seat.env);
    }
    return seat;
  }

  async #sit(spec: EnvironmentSpec, identity: string): Promise<Seat> {
    const env = this.#createEnv(spec);
    const { learner: config, seed, totalSteps } = this.init;
    const learner = await this.#deps.createLearner({
      env,
      config,
      seed: learnerSeed(seed, 'train'),
      totalSteps,
    });
    this.#seat = { learner, env, spec, identity, weights: WeightFollower.of(spec) };
    return this.#seat;
  }

  #move(seat: Seat, command: TrainCommand): void {
    const left = seat.env;
    seat.env = this.#createEnv(command.environment);
    // The first states are valued by what decaying components weigh now.
    seat.env.setTrainingSteps(this.#ownSteps);
    seat.learner.setEnvironment(seat.env);
    seat.spec = command.environment;
    seat.identity = command.environmentIdentity;
    left.dispose();
  }

  #createEnv(spec: EnvironmentSpec): ObservedEnv {
    const { seed, learner } = this.init;
    const inner = this.#deps.createVecEnv(spec, {
      numEnvs: learner.numEnvs,
      seed: BigInt(learnerSeed(seed, 'train')),
      firstEpisode: 0,
      gamma: learner.gamma,
    });
    return new ObservedEnv(inner, new EpisodeWindow(EpisodeWindow.shapeOf(inner)));
  }

  async #iterate(seat: Seat, control: RunControl): Promise<SeriesPoint[]> {
    const begun = this.#ownSteps;
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
    const { evaluateEverySteps, objective } = this.init;
    this.#nextEvaluation = (Math.floor(this.#chargedSteps / evaluateEverySteps) + 1) * evaluateEverySteps;
    return this.#evaluationPoints(score, objective);
  }

  /** Figures of the evaluation, and those of single agents in the last episodes trained in this round. */
  #evaluationPoints(score: Score, objective: ObjectiveConfig): SeriesPoint[] {
    const step = this.#chargedSteps;
    const env = this.#seat?.env;
    if (env === undefined) return evaluationPoints(score, objective, step);
    const means = env.window.means().metrics;
    const perAgent = env.metrics
      .filter((metric) => metric.perAgent)
      .map(({ name }) => [name, means[name] ?? {}]);
    return [
      ...evaluationPoints(score, objective, step),
      ...agentPoints('charts', Object.fromEntries(perAgent), step),
    ];
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
      gamma: learner.gamma,
    });
    this.#counts.evaluationSteps += score.evaluation.steps;
    const success = score.evaluation.groups[objective.group]?.metrics.success;
    if (success !== undefined) this.#solved.add(success.values);
    return score;
  }

  async #finishRound(seat: Seat, control: RunControl): Promise<RoundReport> {
    const score = await this.#score();
    const { evaluateEverySteps, objective, directory } = this.init;
    this.#nextEvaluation = (Math.floor(this.#chargedSteps / evaluateEverySteps) + 1) * evaluateEverySteps;
    this.#emit(control, this.#evaluationPoints(score, objective));
    await this.#scoreHeldOut(seat, control);
    const { steps, begins } = seat.env.takeRecorded();
    const { manifest, numAgents } = seat.env;
    // A round that trials used up trains nothing: its record is the last round's.
    if (steps.length > 0 || this.#lastRecord === null) {
      const header = {
        scenario: manifest.name,
        environmentIdentity: seat.identity,
        round: this.#round,
        numAgents,
        numCopies: seat.env.recordedCopies,
        begins,
      };
      this.#lastRecord = writeRecord(directory, header, steps);
    }
    seat.env.record(0);
    const policies = await this.#writePolicies(seat);
    this.#isRoundEnd = true;
    const checkpoint = this.#writeCheckpoint();
    const means = seat.env.window.means();
    return {
      round: this.#round,
      ownSteps: this.#ownSteps,
      chargedSteps: this.#chargedSteps,
      objective: score.mean,
      objectiveError: score.error,
      parameterHash: checkpoint.parameterHash,
      checkpoint,
      record: this.#lastRecord,
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
    if (scored.points.length > 0) this.#emit(control, scored.points);
  }

  async #writePolicies(seat: Seat): Promise<PolicyFile[]> {
    const files: PolicyFile[] = [];
    for (const { group, onnx } of seat.learner.policies()) {
      const policy = await this.#deps.openPolicy(onnx);
      const { parameterHash } = policy.metadata;
      await policy.dispose();
      const file = writeContentFile(this.init.directory, `policy-${group}`, 'onnx', onnx);
      files.push({ group, ...file, parameterHash });
    }
    return files;
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
      sequence: this.#sequence,
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
      sequence: this.#sequence,
      nextEvaluation: this.#nextEvaluation,
      environment: seat.spec,
      environmentIdentity: seat.identity,
      lastRecord: this.#lastRecord,
      ...(this.#solved.state.starts > 0 && { solved: this.#solved.state }),
      ...(seat.weights !== null && { shaping: seat.weights.state }),
      observed: { ...this.#counts.save(), window: seat.env.window.save() },
    };
  }

  #emit(control: RunControl, points: readonly SeriesPoint[]): void {
    const now = this.#deps.now();
    if (now - this.#speed.at >= 1000) {
      const perSecond = ((this.#ownSteps - this.#speed.steps) * 1000) / (now - this.#speed.at);
      this.#speed = { at: now, steps: this.#ownSteps, perSecond };
    }
    control.emit({
      type: 'metrics',
      firstSequence: this.#sequence,
      points,
      ownSteps: this.#ownSteps,
      chargedSteps: this.#chargedSteps,
      stepsPerSecond: this.#speed.perSecond,
    });
    this.#sequence += points.length;
  }
}

/** A trap cuts its episode short: whoever trains on what is left has to know, at the first of a round. */
function warnOfTraps([first]: readonly TrapRecord[], control: RunControl): void {
  if (first === undefined) return;
  const message = `${describeTrap(first)}: the episode was cut short there; charts/traps counts such episodes`;
  control.emit({ type: 'log', level: 'warning', message });
}
