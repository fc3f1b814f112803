import type { RunState } from '../../shared/contract/runs.ts';
import type { Connection } from './connection.ts';
import { required } from './not-found.ts';

/** Where a run stands; every field can be patched on its own. */
export interface RunProgress {
  readonly state: RunState;
  /** Training steps without trials. */
  readonly ownSteps: number;
  /** Training plus trial steps: the axis of every budget. */
  readonly chargedSteps: number;
  /** Index of the round that is being trained (0-based). */
  readonly round: number;
  readonly stepsPerSecond: number | null;
  /** Last and best evaluation on the objective environment. */
  readonly objective: number | null;
  readonly bestObjective: number | null;
  readonly parameterHash: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** The round loop's own memory as JSON data (what it must know again on resume). */
  readonly loop: unknown;
}

/** Of a run that waits for its first step. */
export const unbegun: RunProgress = Object.freeze({
  state: 'queued',
  ownSteps: 0,
  chargedSteps: 0,
  round: 0,
  stepsPerSecond: null,
  objective: null,
  bestObjective: null,
  parameterHash: null,
  error: null,
  loop: null,
});

/** One arm with one seed; a what-if that is kept as a run names its parent. */
export interface RunRecord extends RunProgress {
  readonly runId: string;
  readonly studyId: string;
  readonly parentRunId: string | null;
  readonly arm: string;
  readonly seed: number;
  readonly totalSteps: number;
  readonly numRounds: number;
  /** The resolved arm (learner, coach, budget) as JSON data. */
  readonly configuration: unknown;
  readonly createdAt: number;
}

export interface RunsReader {
  find(runId: string): RunRecord | null;
  /** Throws store.notFound. */
  get(runId: string): RunRecord;
  /** In the order they were inserted: arms as in the file, seeds within. */
  listByStudy(studyId: string): RunRecord[];
  /** Runs that claim to be at work, of all studies; after a crash these are the interrupted ones. */
  listByState(states: readonly RunState[]): RunRecord[];
}

export interface RunsWriter extends RunsReader {
  insert(run: RunRecord): void;
  /** Changes the given fields. Throws store.notFound. */
  update(runId: string, patch: Partial<RunProgress>): void;
}

interface RunRow {
  run_id: string;
  study_id: string;
  parent_run_id: string | null;
  arm: string;
  seed: number;
  configuration: string;
  total_steps: number;
  num_rounds: number;
  state: RunState;
  own_steps: number;
  charged_steps: number;
  round: number;
  steps_per_second: number | null;
  objective: number | null;
  best_objective: number | null;
  parameter_hash: string | null;
  error: string | null;
  loop: string | null;
  created_at: number;
}

function fromRow(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    studyId: row.study_id,
    parentRunId: row.parent_run_id,
    arm: row.arm,
    seed: row.seed,
    configuration: JSON.parse(row.configuration),
    totalSteps: row.total_steps,
    numRounds: row.num_rounds,
    state: row.state,
    ownSteps: row.own_steps,
    chargedSteps: row.charged_steps,
    round: row.round,
    stepsPerSecond: row.steps_per_second,
    objective: row.objective,
    bestObjective: row.best_objective,
    parameterHash: row.parameter_hash,
    error: row.error === null ? null : JSON.parse(row.error),
    loop: row.loop === null ? null : JSON.parse(row.loop),
    createdAt: row.created_at,
  };
}

function toParams(run: RunRecord): Record<string, unknown> {
  return {
    ...run,
    configuration: JSON.stringify(run.configuration),
    error: run.error === null ? null : JSON.stringify(run.error),
    loop: run.loop === null || run.loop === undefined ? null : JSON.stringify(run.loop),
  };
}

export function createRuns(db: Connection): RunsWriter {
  const insert = db.prepare(`
    INSERT INTO runs (run_id, study_id, parent_run_id, arm, seed, configuration, total_steps, num_rounds, state, own_steps,
      charged_steps, round, steps_per_second, objective, best_objective, parameter_hash, error, loop, created_at)
    VALUES (@runId, @studyId, @parentRunId, @arm, @seed, @configuration, @totalSteps, @numRounds, @state, @ownSteps,
      @chargedSteps, @round, @stepsPerSecond, @objective, @bestObjective, @parameterHash, @error, @loop, @createdAt)`);
  const update = db.prepare(`
    UPDATE runs SET state = @state, own_steps = @ownSteps, charged_steps = @chargedSteps, round = @round,
      steps_per_second = @stepsPerSecond, objective = @objective, best_objective = @bestObjective,
      parameter_hash = @parameterHash, error = @error, loop = @loop
    WHERE run_id = @runId`);
  const select = db.prepare<RunRow>('SELECT * FROM runs WHERE run_id = @runId');
  const byStudy = db.prepare<RunRow>('SELECT * FROM runs WHERE study_id = @studyId ORDER BY rowid');
  const byState = db.prepare<RunRow>(
    'SELECT * FROM runs WHERE state IN (SELECT value FROM json_each(@states)) ORDER BY rowid',
  );
  const find = (runId: string): RunRecord | null => {
    const row = select.get({ runId });
    return row === undefined ? null : fromRow(row);
  };
  const get = (runId: string): RunRecord => required(find(runId), 'run', runId);
  return {
    find,
    get,
    listByStudy: (studyId) => byStudy.all({ studyId }).map(fromRow),
    listByState: (states) => byState.all({ states: JSON.stringify(states) }).map(fromRow),
    insert: (run) => void db.write(() => insert.run(toParams(run))),
    update: (runId, patch) => void db.write(() => update.run(toParams({ ...get(runId), ...patch }))),
  };
}
