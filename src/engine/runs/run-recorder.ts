import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointRecord, RunProgress } from '../store/index.ts';
import { findDamage } from '../train/index.ts';
import type { CheckpointRef, RoundReport, SeriesPoint, TrainerEvent } from '../train/protocol.ts';
import { type LoopState, readLoopState } from './loop-state.ts';
import { type RunIdentity, runDirectory } from './round-context.ts';
import type { RunServices } from './services.ts';
import { readRunView } from './views.ts';

type MetricsReport = Extract<TrainerEvent, { type: 'metrics' }>;

/** Timed checkpoints kept; those of finished rounds are kept besides. */
const keptCheckpoints = 2;
/** Views of a run are sent at most this often while it trains. */
const viewEveryMs = 250;

/** Keeps one run's record: progress, series, rounds, checkpoints, and the round loop's memory. */
export class RunRecorder {
  readonly #services: RunServices;
  readonly #run: RunIdentity;
  #viewSentAt = 0;

  constructor(services: RunServices, run: RunIdentity) {
    this.#services = services;
    this.#run = run;
  }

  /**
   * Takes the record back to the latest checkpoint whose file is intact and returns it; null at the very beginning. What
   * lies between is trained again, to the same figures.
   */
  cutBack(): CheckpointRecord | null {
    this.#forgetDamaged();
    const checkpoint = this.#services.store.cutBack(this.#run.runId);
    if (checkpoint?.isRoundEnd === true) this.patch({ round: this.#roundAfter(checkpoint.round) });
    this.#restoreObjective();
    return checkpoint;
  }

  #forgetDamaged(): void {
    const { store, root } = this.#services;
    const { runId } = this.#run;
    const directory = join(root, runDirectory(runId));
    for (const { file, chargedSteps } of store.checkpoints.listByRun(runId).reverse()) {
      const damage = findDamage(directory, file);
      if (damage === null) return;
      store.checkpoints.remove(runId, file);
      this.log(
        'warning',
        `the checkpoint at step ${chargedSteps} cannot be used (${join(directory, file)}: ${damage}); going on from the one before it`,
      );
    }
  }

  /** Puts a round's end on record in one transaction: outcome, checkpoint, policies. */
  finishRound(report: RoundReport): void {
    const { store, now } = this.#services;
    const { runId } = this.#run;
    const { round, ownSteps, chargedSteps, objective, parameterHash } = report;
    store.transaction(() => {
      store.rounds.finish(runId, round, {
        ownSteps,
        chargedSteps,
        objective,
        parameterHash,
        checkpointFile: report.checkpoint.file,
        recordFile: report.record,
        report,
        finishedAt: now(),
      });
      this.#insertCheckpoint(report.checkpoint);
      this.patch({ round: this.#roundAfter(round) });
      for (const { group, file, sha256, parameterHash: ownHash } of report.policies) {
        store.policies.insert({
          // As people count rounds, like the ids of proposals.
          policyId: `${runId}.${round + 1}.${group}`,
          runId,
          round,
          group,
          file: join(runDirectory(runId), file).replaceAll('\\', '/'),
          sha256,
          parameterHash: ownHash,
          createdAt: now(),
        });
      }
    });
    this.#prune();
    this.sendView();
    this.log(
      'info',
      `round ${round + 1} of ${this.#run.experiment.budget.rounds} done at step ${chargedSteps}, objective ${objective.toPrecision(5)}`,
    );
  }

  /** The round a run stands at once `round` is over; the last one stays. */
  #roundAfter(round: number): number {
    return Math.min(round + 1, this.#run.experiment.budget.rounds - 1);
  }

  appendMetrics(report: MetricsReport): void {
    const { store, emit } = this.#services;
    const { runId } = this.#run;
    const { ownSteps, chargedSteps, stepsPerSecond, points } = report;
    store.transaction(() => {
      store.series.append(runId, report.firstSequence, points);
      this.patch({ ownSteps, chargedSteps, stepsPerSecond, ...this.#objectiveAfter(points) });
    });
    emit('metrics.appended', { runId, points: [...points] });
    if (performance.now() - this.#viewSentAt >= viewEveryMs) this.sendView();
  }

  #objectiveAfter(points: readonly SeriesPoint[]): Partial<RunProgress> {
    const value = points.findLast(({ key }) => key === 'eval/objective')?.value;
    if (value === undefined) return {};
    const { bestObjective } = this.#services.store.runs.get(this.#run.runId);
    const isHigher = this.#run.experiment.objective.better === 'higher';
    const best =
      bestObjective === null
        ? value
        : isHigher
          ? Math.max(bestObjective, value)
          : Math.min(bestObjective, value);
    return { objective: value, bestObjective: best };
  }

  /** The figures of the series that are left after a cut. */
  #restoreObjective(): void {
    const { store } = this.#services;
    const summary = store.series.summaries(this.#run.runId).find(({ key }) => key === 'eval/objective');
    const isHigher = this.#run.experiment.objective.better === 'higher';
    this.patch({
      objective: summary?.last ?? null,
      bestObjective: (isHigher ? summary?.max : summary?.min) ?? null,
      error: null,
    });
  }

  addCheckpoint(checkpoint: CheckpointRef): void {
    this.#services.store.transaction(() => this.#insertCheckpoint(checkpoint));
    this.#prune();
    this.log('info', `checkpoint at step ${checkpoint.chargedSteps}`);
  }

  #insertCheckpoint(checkpoint: CheckpointRef): void {
    const { store, now } = this.#services;
    const { runId } = this.#run;
    store.checkpoints.insert({ ...checkpoint, runId, createdAt: now() });
    const { ownSteps, chargedSteps, parameterHash } = checkpoint;
    this.patch({ ownSteps, chargedSteps, parameterHash });
  }

  #prune(): void {
    const { store, root } = this.#services;
    const { runId } = this.#run;
    for (const file of store.checkpoints.prune(runId, keptCheckpoints)) {
      rmSync(join(root, runDirectory(runId), file), { force: true });
    }
  }

  loop(): LoopState {
    return readLoopState(this.#services.store.runs.get(this.#run.runId).loop);
  }

  patch(patch: Partial<RunProgress>): void {
    this.#services.store.runs.update(this.#run.runId, patch);
  }

  sendView(): void {
    this.#viewSentAt = performance.now();
    this.#services.emit('run.changed', readRunView(this.#services.store, this.#run.runId));
  }

  log(level: 'info' | 'warning' | 'error', message: string, source = 'engine'): void {
    const { emit, now } = this.#services;
    emit('log.appended', { at: now(), level, source, runId: this.#run.runId, message });
  }
}
