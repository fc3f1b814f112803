import type { Connection } from './connection.ts';

/** The decision of a boundary to go back to the incumbent environment, made by nobody but the rule. */
export interface RollbackRecord {
  readonly runId: string;
  /** The round that fell. */
  readonly round: number;
  /** The EDL text that was given up, and the one that came back. */
  readonly fromHash: string;
  readonly toHash: string;
  /** The objective at the end of the round, and the incumbent's. */
  readonly measured: number;
  readonly incumbent: number;
  /** By how much it had to fall to count. */
  readonly margin: number;
  /** Proposals whose changes were undone with it. */
  readonly proposalIds: readonly string[];
  readonly note: string;
  readonly decidedAt: number;
}

export interface RollbacksReader {
  /** In order of rounds. */
  listByRun(runId: string): RollbackRecord[];
}

export interface RollbacksWriter extends RollbacksReader {
  /** A rollback stands: the same boundary again is a no-op. */
  record(rollback: RollbackRecord): void;
}

interface RollbackRow {
  run_id: string;
  round: number;
  from_hash: string;
  to_hash: string;
  measured: number;
  incumbent: number;
  margin: number;
  proposals: string;
  note: string;
  decided_at: number;
}

function fromRow(row: RollbackRow): RollbackRecord {
  return {
    runId: row.run_id,
    round: row.round,
    fromHash: row.from_hash,
    toHash: row.to_hash,
    measured: row.measured,
    incumbent: row.incumbent,
    margin: row.margin,
    proposalIds: JSON.parse(row.proposals),
    note: row.note,
    decidedAt: row.decided_at,
  };
}

export function createRollbacks(db: Connection): RollbacksWriter {
  const insert = db.prepare(`
    INSERT OR IGNORE INTO rollbacks
      (run_id, round, from_hash, to_hash, measured, incumbent, margin, proposals, note, decided_at)
    VALUES (@runId, @round, @fromHash, @toHash, @measured, @incumbent, @margin, @proposals, @note, @decidedAt)`);
  const byRun = db.prepare<RollbackRow>('SELECT * FROM rollbacks WHERE run_id = @runId ORDER BY round');
  return {
    listByRun: (runId) => byRun.all({ runId }).map(fromRow),
    record({ proposalIds, ...rollback }) {
      db.write(() => insert.run({ ...rollback, proposals: JSON.stringify(proposalIds) }));
    },
  };
}
