import { availableParallelism } from 'node:os';
import { openStates } from '../../shared/contract/open-states.ts';
import type { RunState, RunView, StudyView } from '../../shared/contract/runs.ts';
import { AppError } from '../../shared/std/app-error.ts';
import { openPrompts } from '../coach/prompts/prompt-files.ts';
import { closeProposals } from './close-proposals.ts';
import { requireExperiment } from './experiment.ts';
import type { Experiment } from './experiment-types.ts';
import { PendingResumes } from './pending-resumes.ts';
import { nameReplayed } from './replay-source.ts';
import { requestProposal } from './request-proposal.ts';
import { requireCoaches } from './require-coaches.ts';
import { requireSameModels } from './require-same-models.ts';
import type { RunIdentity } from './round-context.ts';
import { RunDriver } from './run-driver.ts';
import { RunRecorder } from './run-recorder.ts';
import type { RunServices, SupervisorOptions } from './services.ts';
import {
  listRunIdentities,
  readStudyExperiment,
  recordStudy,
  requireSameExperiment,
  selectArms,
} from './study-records.ts';
import type { StartOptions, SupervisorFace } from './types.ts';
import { UnrecordedEnds } from './unrecorded.ts';
import { listStudyViews, readRunView, readStudyView } from './views.ts';
import { defaultTrainerPath } from './worker-path.ts';
import { createExperimentHost, type ReadTexts, readExperimentFile } from './workspace-host.ts';

const defaultCheckpointEveryMs = 20_000;

/** A study that has runs left to do. */
interface ActiveStudy {
  readonly studyId: string;
  readonly waiting: RunIdentity[];
  readonly drivers: Map<string, RunDriver>;
  isPaused: boolean;
  isStopping: boolean;
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

/** Makes the supervisor of an engine. Runs that a dead engine left at work are marked as interrupted. */
export function createSupervisor(options: SupervisorOptions): SupervisorFace {
  return new Supervisor(options);
}

class Supervisor implements SupervisorFace {
  readonly #services: RunServices;
  readonly #checkPrompt: SupervisorOptions['checkPrompt'];
  /** In the order they were started: earlier studies go first. */
  readonly #studies = new Map<string, ActiveStudy>();
  readonly #resuming = new PendingResumes<StudyView>();
  readonly #unrecorded = new UnrecordedEnds();
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#services = {
      ...options,
      maxTrainers: options.maxTrainers ?? availableParallelism(),
      trainerPath: options.trainerPath ?? defaultTrainerPath(),
      checkpointEveryMs: options.checkpointEveryMs ?? defaultCheckpointEveryMs,
      prompts: options.prompts ?? openPrompts(options.root),
      now: () => Date.now(),
    };
    this.#checkPrompt = options.checkPrompt;
    this.#markInterrupted();
  }

  get runningRuns(): number {
    return [...this.#studies.values()].reduce((sum, study) => sum + study.drivers.size, 0);
  }

  async start(options: StartOptions): Promise<StudyView> {
    if (options.resume !== undefined) {
      requireSameExperiment(this.#services, options.resume, options.experimentPath);
      return this.resume(options.resume);
    }
    this.#assertOpen();
    const { root, edl, learners } = this.#services;
    const file = readExperimentFile(root, options.experimentPath);
    const texts: ReadTexts = new Map();
    const checkPrompt = this.#checkPrompt;
    const host = createExperimentHost(
      root,
      { edl, learners, ...(checkPrompt !== undefined && { checkPrompt }) },
      texts,
    );
    const checked = requireExperiment(file.text, file.path, host);
    const selection = { arm: options.arm ?? null, seed: options.seed ?? null };
    const experiment = nameReplayed(this.#services.store, checked, selection);
    requireCoaches(selectArms(experiment, selection), root);
    this.#tellChosen(checked, experiment);
    const studyId = recordStudy(this.#services, experiment, texts, selection);
    this.#activate(studyId, listRunIdentities(this.#services.store, experiment, studyId));
    return this.get(studyId);
  }

  async resume(studyId: string): Promise<StudyView> {
    this.#assertOpen();
    this.#services.store.studies.get(studyId);
    if (this.#studies.has(studyId)) return this.unpause(studyId);
    return this.#resuming.share(studyId, (signal) => this.#takeUp(studyId, signal));
  }

  /** Answers with the study as it stands when it was stopped before it went on. */
  async #takeUp(studyId: string, signal: AbortSignal): Promise<StudyView> {
    const { store, root } = this.#services;
    const { experiment, warning } = readStudyExperiment(store, this.#services, studyId);
    if (warning !== null) this.#log(warning);
    const findUnfinished = () =>
      listRunIdentities(store, experiment, studyId).filter(
        ({ runId }) => store.runs.get(runId).state !== 'finished',
      );
    const asking = findUnfinished().map(({ arm }) => arm);
    requireCoaches(asking, root);
    try {
      await requireSameModels(store, { root, studyId, arms: experiment.arms, asking, signal });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
    // Hashing takes its time: meanwhile the engine may have been closed, or the study stopped.
    this.#assertOpen();
    if (signal.aborted) return this.get(studyId);
    const unfinished = findUnfinished();
    store.transaction(() => {
      for (const run of unfinished) {
        // Before anybody is shown where the run stands: it goes on from its checkpoint.
        new RunRecorder(this.#services, run).cutBack();
        store.runs.update(run.runId, { state: 'queued', error: null });
      }
    });
    this.#unrecorded.forget(
      studyId,
      unfinished.map(({ runId }) => runId),
    );
    if (unfinished.length > 0) this.#activate(studyId, unfinished);
    return this.get(studyId);
  }

  async pause(studyId: string): Promise<StudyView> {
    const study = this.#active(studyId);
    if (study === null) return this.get(studyId);
    study.isPaused = true;
    await Promise.all([...study.drivers.values()].map((driver) => driver.pause()));
    // Meanwhile the last run may have ended, or someone may have thought better of it.
    if (!this.#isActive(study) || !study.isPaused) return this.get(studyId);
    for (const runId of study.drivers.keys()) this.#setRunState(runId, 'paused');
    return this.#setStudyState(study, 'paused');
  }

  async unpause(studyId: string): Promise<StudyView> {
    const study = this.#active(studyId);
    if (study === null) return this.get(studyId);
    study.isPaused = false;
    await Promise.all([...study.drivers.values()].map((driver) => driver.unpause()));
    if (!this.#isActive(study) || study.isPaused) return this.get(studyId);
    for (const runId of study.drivers.keys()) this.#setRunState(runId, 'running');
    const view = this.#setStudyState(study, 'running');
    this.#pump();
    return view;
  }

  async stop(studyId: string): Promise<StudyView> {
    this.#resuming.cancel(studyId);
    const study = this.#active(studyId);
    if (study === null) return this.get(studyId);
    study.isStopping = true;
    for (const { runId } of study.waiting.splice(0)) this.#endRun(runId, 'stopped', null);
    for (const driver of study.drivers.values()) driver.stop();
    this.#settleIfDone(study);
    await study.settled;
    return this.get(studyId);
  }

  requestProposal(runId: string): void {
    requestProposal(this.#services.store, runId);
  }

  list(): StudyView[] {
    return listStudyViews(this.#services.store).map((study) => this.#unrecorded.study(study));
  }

  get(studyId: string): StudyView {
    return this.#unrecorded.study(readStudyView(this.#services.store, studyId));
  }

  getRun(runId: string): RunView {
    return this.#unrecorded.run(readRunView(this.#services.store, runId));
  }

  async whenSettled(studyId: string): Promise<StudyView> {
    await this.#studies.get(studyId)?.settled;
    return this.get(studyId);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const studyIds = new Set([...this.#studies.keys(), ...this.#resuming.studyIds]);
    await Promise.all([...studyIds].map((studyId) => this.stop(studyId)));
  }

  #activate(studyId: string, runs: readonly RunIdentity[]): void {
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const study: ActiveStudy = {
      studyId,
      waiting: [...runs],
      drivers: new Map(),
      isPaused: false,
      isStopping: false,
      settled,
      settle,
    };
    this.#setStudyState(study, 'running');
    this.#studies.set(studyId, study);
    this.#pump();
  }

  /** Starts waiting runs while there are cores for them. */
  #pump(): void {
    for (const study of this.#studies.values()) {
      while (!study.isPaused && this.runningRuns < this.#services.maxTrainers) {
        const next = study.waiting.shift();
        if (next === undefined) break;
        void this.#drive(study, next);
      }
    }
  }

  async #drive(study: ActiveStudy, run: RunIdentity): Promise<void> {
    const driver = new RunDriver(this.#services, run);
    study.drivers.set(run.runId, driver);
    try {
      this.#setRunState(run.runId, 'running');
      const outcome = await driver.drive();
      if (outcome === 'finished') closeProposals(this.#services, run.runId);
      if (outcome === 'finished') this.#setRunState(run.runId, outcome);
      else this.#endRun(run.runId, outcome, null);
    } catch (thrown) {
      this.#fail(run.runId, AppError.from(thrown));
    } finally {
      study.drivers.delete(run.runId);
      this.#settleIfDone(study);
      this.#pump();
    }
  }

  /** A run fails with its code; the study goes on with the others. */
  #fail(runId: string, error: AppError): void {
    const { code, message } = error;
    this.#log(`${code}: ${message}`, 'error', runId);
    this.#endRun(runId, 'failed', { code, message });
  }

  /** Ends a run whatever becomes of the record: whoever waits for the end must see it. */
  #endRun(runId: string, state: 'failed' | 'stopped', error: RunView['error']): void {
    try {
      this.#services.store.runs.update(runId, { state, error, stepsPerSecond: null });
    } catch (thrown) {
      const reason = this.#tellUnrecorded(runId, thrown, runId);
      this.#unrecorded.noteRun(runId, { state: 'failed', error: error ?? reason });
    }
    this.#tellRun(runId);
  }

  #tellUnrecorded(what: string, thrown: unknown, runId: string | null): NonNullable<RunView['error']> {
    const { code, message } = AppError.from(thrown);
    this.#log(`the end of ${what} could not be put on record: ${message}`, 'error', runId);
    return { code, message };
  }

  #settleIfDone(study: ActiveStudy): void {
    if (study.drivers.size > 0 || study.waiting.length > 0) return;
    if (!this.#studies.delete(study.studyId)) return;
    try {
      this.#setStudyState(study, this.#outcomeOf(study));
    } catch (thrown) {
      this.#tellUnrecorded(study.studyId, thrown, null);
      this.#unrecorded.noteStudy(study.studyId, this.#outcomeOf(study));
      this.#services.emit('study.changed', this.get(study.studyId));
    } finally {
      study.settle();
    }
  }

  #outcomeOf(study: ActiveStudy): RunState {
    const states = this.get(study.studyId).runs.map((run) => run.state);
    if (states.includes('stopped')) return 'stopped';
    return states.includes('failed') ? 'failed' : 'finished';
  }

  #setRunState(runId: string, state: RunState): void {
    this.#services.store.runs.update(runId, { state });
    this.#tellRun(runId);
  }

  #tellRun(runId: string): void {
    const { emit } = this.#services;
    const run = this.getRun(runId);
    emit('run.changed', run);
    if (run.state === 'finished' || run.state === 'failed') emit('study.changed', this.get(run.studyId));
  }

  #setStudyState(study: ActiveStudy, state: RunState): StudyView {
    const { store, emit, now } = this.#services;
    const isOver = state === 'finished' || state === 'failed' || state === 'stopped';
    store.studies.setState(study.studyId, state, isOver ? now() : null);
    const view = this.get(study.studyId);
    emit('study.changed', view);
    return view;
  }

  #active(studyId: string): ActiveStudy | null {
    this.#services.store.studies.get(studyId);
    return this.#studies.get(studyId) ?? null;
  }

  #isActive(study: ActiveStudy): boolean {
    return this.#studies.get(study.studyId) === study;
  }

  #markInterrupted(): void {
    const { store } = this.#services;
    const left = store.runs.listByState(openStates);
    store.transaction(() => {
      for (const { runId } of left) store.runs.update(runId, { state: 'interrupted', stepsPerSecond: null });
      for (const study of store.studies.list()) {
        if (openStates.includes(study.state)) store.studies.setState(study.studyId, 'interrupted', null);
      }
    });
  }

  /** Where the file does not say whose answers are repeated, or not of which arm, whose they are. */
  #tellChosen(checked: Experiment, { arms }: Experiment): void {
    for (const [index, { name, coach }] of arms.entries()) {
      const given = checked.arms[index]?.coach.replay;
      const chosen = coach.replay;
      // Of an arm that is left out nothing was chosen.
      if (chosen === undefined || chosen.arm === null) continue;
      if (given !== undefined && given.arm !== null) continue;
      const { study, arm } = chosen;
      const among = given === undefined ? 'the only one' : 'the only arm of that study';
      this.#log(
        `arm "${name}" repeats ${study} (arm ${arm}), ${among} that was answered in its environment; ` +
          `"replay: {study: ${study}, arm: ${arm}}" in its coach block keeps to it.`,
      );
    }
  }

  #assertOpen(): void {
    if (this.#isClosed)
      throw new AppError('engine.unavailable', 'the engine is closing; start the study again later.');
  }

  #log(message: string, level: 'warning' | 'error' = 'warning', runId: string | null = null): void {
    this.#services.emit('log.appended', { at: Date.now(), level, source: 'engine', runId, message });
  }
}
