import type { Connection } from './connection.ts';
import { requireChanged } from './not-found.ts';

/** How a round ended. */
export interface RoundOutcome {
  readonly ownSteps: number;
  readonly chargedSteps: number;
  readonly objective: number;
  readonly parameterHash: string;
  /** Files inside the run's directory, content-addressed. */
  readonly checkpointFile: string;
  readonly recordFile: string;
  /** The trainer's RoundReport as JSON data. */
  readonly report: unknown;
  readonly finishedAt: number;
}

/** Training on one environment E_k, ending in a snapshot. `outcome` is null while it trains. */
export interface RoundRecord {
  readonly runId: string;
  readonly round: number;
  /** Hash of the EDL text in force, in `texts`. */
  readonly environmentHash: string;
  /** Identity of the compiled environment. */
  readonly environmentIdentity: string;
  readonly startedAt: number;
  readonly outcome: RoundOutcome | null;
}

export interface RoundsReader {
  find(runId: string, round: number): RoundRecord | null;
  /** In order. */
  listByRun(runId: string): RoundRecord[];
}

export interface RoundsWriter extends RoundsReader {
  /** Opens a round; one that is there already is started anew (its outcome is forgotten). */
  begin(round: Omit<RoundRecord, 'outcome'>): void;
  /** Throws store.notFound for a round that was not begun. */
  finish(runId: string, round: number, outcome: RoundOutcome): void;
}

interface RoundRow {
  run_id: string;
  round: number;
  environment_hash: string;
  environment_identity: string;
  started_at: number;
  own_steps: number | null;
  charged_steps: number | null;
  objective: number | null;
  parameter_hash: string | null;
  checkpoint_file: string | null;
  record_file: string | null;
  report: string | null;
  finished_at: number | null;
}

function fromRow(row: RoundRow): RoundRecord {
  return {
    runId: row.run_id,
    round: row.round,
    environmentHash: row.environment_hash,
    environmentIdentity: row.environment_identity,
    startedAt: row.started_at,
    outcome: row.finished_at === null ? null : outcomeFromRow(row, row.finished_at),
  };
}

function outcomeFromRow(row: RoundRow, finishedAt: number): RoundOutcome {
  return {
    ownSteps: row.own_steps ?? 0,
    chargedSteps: row.charged_steps ?? 0,
    objective: row.objective ?? Number.NaN,
    parameterHash: row.parameter_hash ?? '',
    checkpointFile: row.checkpoint_file ?? '',
    recordFile: row.record_file ?? '',
    report: JSON.parse(row.report ?? 'null'),
    finishedAt,
  };
}

export function createRounds(db: Connection): RoundsWriter {
  const begin = db.prepare(`
    INSERT OR REPLACE INTO rounds (run_id, round, environment_hash, environment_identity, started_at)
    VALUES (@runId, @round, @environmentHash, @environmentIdentity, @startedAt)`);
  const finish = db.prepare(`
    UPDATE rounds SET own_steps = @ownSteps, charged_steps = @chargedSteps, objective = @objective,
      parameter_hash = @parameterHash, checkpoint_file = @checkpointFile, record_file = @recordFile, report = @report, finished_at = @finishedAt
    WHERE run_id = @runId AND round = @round`);
  const select = db.prepare<RoundRow>('SELECT * FROM rounds WHERE run_id = @runId AND round = @round');
  const byRun = db.prepare<RoundRow>('SELECT * FROM rounds WHERE run_id = @runId ORDER BY round');
  return {
    find(runId, round) {
      const row = select.get({ runId, round });
      return row === undefined ? null : fromRow(row);
    },
    listByRun: (runId) => byRun.all({ runId }).map(fromRow),
    begin: (round) => void db.write(() => begin.run({ ...round })),
    finish(runId, round, outcome) {
      const params = { runId, round, ...outcome, report: JSON.stringify(outcome.report) };
      db.write(() => requireChanged(finish.run(params), 'round', `${runId} round ${round}`));
    },
  };
}
