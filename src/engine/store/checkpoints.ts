import type { Connection } from './connection.ts';

/** A state a run can be taken up from. The file lies in the run's directory and was synced before it is named here. */
export interface CheckpointRecord {
  readonly runId: string;
  readonly file: string;
  readonly ownSteps: number;
  readonly chargedSteps: number;
  readonly round: number;
  /** Written when `round` was complete; timed ones lie inside it. */
  readonly isRoundEnd: boolean;
  readonly parameterHash: string;
  /** Metric points reported before it: resume keeps exactly those with a lower sequence number. */
  readonly sequence: number;
  readonly createdAt: number;
}

export interface CheckpointsReader {
  /** The one with the most own steps, or null. */
  findLatest(runId: string): CheckpointRecord | null;
  /** In order of own steps. */
  listByRun(runId: string): CheckpointRecord[];
}

export interface CheckpointsWriter extends CheckpointsReader {
  /** The same file of the same run again is a no-op. */
  insert(checkpoint: CheckpointRecord): void;
  /** Forgets one whose file is damaged. A finished round may still name it. */
  remove(runId: string, file: string): void;
  /** Forgets all but the latest `keep` that no finished round refers to; returns the files that can be deleted. */
  prune(runId: string, keep: number): string[];
}

interface CheckpointRow {
  run_id: string;
  file: string;
  own_steps: number;
  charged_steps: number;
  round: number;
  is_round_end: number;
  parameter_hash: string;
  sequence: number;
  created_at: number;
}

function fromRow(row: CheckpointRow): CheckpointRecord {
  return {
    runId: row.run_id,
    file: row.file,
    ownSteps: row.own_steps,
    chargedSteps: row.charged_steps,
    round: row.round,
    isRoundEnd: row.is_round_end === 1,
    parameterHash: row.parameter_hash,
    sequence: row.sequence,
    createdAt: row.created_at,
  };
}

export function createCheckpoints(db: Connection): CheckpointsWriter {
  const insert = db.prepare(`
    INSERT OR IGNORE INTO checkpoints
      (run_id, file, own_steps, charged_steps, round, is_round_end, parameter_hash, sequence, created_at)
    VALUES (@runId, @file, @ownSteps, @chargedSteps, @round, @isRoundEnd, @parameterHash, @sequence, @createdAt)`);
  const latest = db.prepare<CheckpointRow>(
    'SELECT * FROM checkpoints WHERE run_id = @runId ORDER BY own_steps DESC, rowid DESC LIMIT 1',
  );
  const byRun = db.prepare<CheckpointRow>(
    'SELECT * FROM checkpoints WHERE run_id = @runId ORDER BY own_steps, rowid',
  );
  const prunable = db.prepare<{ file: string }>(`
    DELETE FROM checkpoints WHERE run_id = @runId
      AND rowid NOT IN (SELECT rowid FROM checkpoints WHERE run_id = @runId ORDER BY own_steps DESC, rowid DESC LIMIT @keep)
      AND file NOT IN (SELECT checkpoint_file FROM rounds WHERE run_id = @runId AND checkpoint_file IS NOT NULL)
    RETURNING file`);
  const remove = db.prepare('DELETE FROM checkpoints WHERE run_id = @runId AND file = @file');
  return {
    findLatest(runId) {
      const row = latest.get({ runId });
      return row === undefined ? null : fromRow(row);
    },
    listByRun: (runId) => byRun.all({ runId }).map(fromRow),
    insert: (checkpoint) =>
      void db.write(() => insert.run({ ...checkpoint, isRoundEnd: checkpoint.isRoundEnd ? 1 : 0 })),
    remove: (runId, file) => void db.write(() => remove.run({ runId, file })),
    prune: (runId, keep) => db.write(() => prunable.all({ runId, keep }).map((row) => row.file)),
  };
}
