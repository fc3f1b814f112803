import type { ConcludedTrial, ProposalView } from '../../shared/contract/coach.ts';
import type { MetricPoint, RunView, StudyView } from '../../shared/contract/runs.ts';

/** A line of `run --json`. Scripts rely on `event`, `study` and, where they apply, `run`, `arm`, `seed`, `step`. */
export interface StudyLine {
  readonly event: string;
  readonly study: string;
  readonly [field: string]: unknown;
}

interface RunMemory {
  hasStarted: boolean;
  hasEnded: boolean;
  /** Whether it was told that traps cut episodes short. */
  hasTrapped: boolean;
  round: number;
  /** Of the curriculum; null: none told yet. */
  stage: string | null;
}

const endEvents = {
  finished: 'run.finished',
  failed: 'run.failed',
  stopped: 'run.stopped',
  interrupted: 'run.stopped',
} as const;

const figuresOf = ({ meanDifference, low, high }: ConcludedTrial) => ({ meanDifference, low, high });

const isEnd = (state: string): state is keyof typeof endEvents => state in endEvents;

/**
 * Turns the engine's views, which say how things stand, into lines that say what happened. Each thing is told
 * once, whatever the number of views that show it. A resumed study tells what is new, and the stage each run is in.
 */
export class StudyNarrator {
  readonly #study: string;
  readonly #runs = new Map<string, RunMemory>();
  readonly #told = new Set<string>();

  constructor(study: StudyView, known: readonly ProposalView[] = []) {
    this.#study = study.studyId;
    for (const run of study.runs) {
      this.#runs.set(run.runId, {
        hasStarted: false,
        hasEnded: isEnd(run.state) && run.state === 'finished',
        hasTrapped: run.traps !== null,
        round: run.round,
        // The stage that a run is taken up in is told again: whoever was told before may have been ended in between.
        stage: run.state === 'finished' ? (run.stage?.name ?? null) : null,
      });
    }
    for (const proposal of known) this.onProposal(proposal);
  }

  started(study: StudyView): StudyLine {
    const seeds = [...new Set(study.runs.map((run) => run.seed))];
    const arms = [...new Set(study.runs.map((run) => run.arm))];
    return {
      event: 'study.started',
      study: this.#study,
      name: study.name,
      experiment: study.experimentPath,
      arms,
      seeds,
      objective: study.objective,
    };
  }

  onRun(run: RunView): StudyLine[] {
    const memory = this.#memoryOf(run);
    const lines: StudyLine[] = [];
    if (!memory.hasStarted && run.state === 'running') {
      memory.hasStarted = true;
      lines.push({
        event: 'run.started',
        ...this.#runFields(run),
        totalSteps: run.totalSteps,
        rounds: run.numRounds,
      });
    }
    while (memory.round < run.round) {
      lines.push({
        event: 'round.finished',
        ...this.#runFields(run),
        round: memory.round,
        objective: run.objective,
      });
      memory.round += 1;
    }
    if (run.traps !== null && !memory.hasTrapped) {
      memory.hasTrapped = true;
      lines.push({ event: 'run.trapped', ...this.#runFields(run), first: run.traps.first });
    }
    if (run.stage !== null && run.stage.name !== memory.stage) {
      memory.stage = run.stage.name;
      const { name, index, count, round, sinceStep } = run.stage;
      lines.push({
        event: 'stage.begun',
        ...this.#runFields(run),
        step: sinceStep,
        round,
        stage: name,
        index,
        count,
      });
    }
    if (!memory.hasEnded && isEnd(run.state)) {
      memory.hasEnded = true;
      lines.push(...this.#ending(run, memory));
    }
    return lines;
  }

  onMetrics(run: RunView, points: readonly MetricPoint[]): StudyLine[] {
    return points.map(({ key, step, value }) => ({
      event: 'metric',
      ...this.#runFields(run),
      step,
      key,
      value,
    }));
  }

  onProposal(proposal: ProposalView): StudyLine[] {
    const fields = {
      study: this.#study,
      run: proposal.runId,
      arm: proposal.arm,
      seed: proposal.seed,
      round: proposal.round,
      proposal: proposal.proposalId,
    };
    const { provider, model, reason, failure, body, trial, isComposed, state } = proposal;
    const evidence = {
      changes: (body?.changes ?? []).map(({ op, target }) => ({ op, target })),
      trial: trial?.state === 'concluded' ? figuresOf(trial) : null,
    };
    const isAnswered = state !== 'asked';
    return [
      ...this.#once(isAnswered, 'proposal', {
        ...fields,
        provider,
        model,
        reason,
        failure,
        isComposed,
        isParsed: body !== null,
        changes: body?.changes ?? [],
      }),
      ...this.#once(proposal.validation !== null, 'validation', { ...fields, ...proposal.validation }),
      ...this.#once(trial !== null && trial.state !== 'unfinished', 'trial', { ...fields, ...trial }),
      ...this.#once(state === 'awaiting', 'proposal.waiting', { ...fields, ...evidence }),
      ...this.#once(proposal.decision !== null, 'decision', {
        ...fields,
        ...evidence,
        ...proposal.decision,
      }),
    ];
  }

  ended(study: StudyView): StudyLine {
    const event =
      study.state === 'finished'
        ? 'study.finished'
        : study.state === 'failed'
          ? 'study.failed'
          : 'study.stopped';
    return { event, study: this.#study, state: study.state, arms: study.arms };
  }

  #ending(run: RunView, memory: RunMemory): StudyLine[] {
    const event = isEnd(run.state) ? endEvents[run.state] : 'run.stopped';
    const lines: StudyLine[] = [];
    if (run.state === 'finished' && memory.round < run.numRounds) {
      lines.push({
        event: 'round.finished',
        ...this.#runFields(run),
        round: memory.round,
        objective: run.objective,
      });
      memory.round = run.numRounds;
    }
    const { objective, bestObjective, parameterHash, ownSteps, error } = run;
    lines.push({
      event,
      ...this.#runFields(run),
      objective,
      bestObjective,
      parameterHash,
      ownSteps,
      ...(error === null ? {} : { error }),
    });
    return lines;
  }

  #memoryOf(run: RunView): RunMemory {
    const known = this.#runs.get(run.runId);
    if (known !== undefined) return known;
    const memory = { hasStarted: false, hasEnded: false, hasTrapped: false, round: run.round, stage: null };
    this.#runs.set(run.runId, memory);
    return memory;
  }

  #runFields(run: RunView) {
    return { study: this.#study, run: run.runId, arm: run.arm, seed: run.seed, step: run.step };
  }

  #once(holds: boolean, event: string, fields: StudyLine | Record<string, unknown>): StudyLine[] {
    const key = `${event} ${String(fields.proposal)}`;
    if (!holds || this.#told.has(key)) return [];
    this.#told.add(key);
    return [{ event, study: this.#study, ...fields }];
  }
}
