import type { Connection } from './connection.ts';
import { required } from './not-found.ts';

/** What a coach saw at the end of a round. The JSON text itself is in `texts`. */
export interface SnapshotRecord {
  readonly snapshotId: string;
  readonly runId: string;
  readonly round: number;
  readonly textHash: string;
  readonly createdAt: number;
}

export interface SnapshotsReader {
  /** Throws store.notFound. */
  get(snapshotId: string): SnapshotRecord;
  findByRound(runId: string, round: number): SnapshotRecord | null;
}

export interface SnapshotsWriter extends SnapshotsReader {
  /** One per (run, round): a second one for the same round is store.constraint. */
  insert(snapshot: SnapshotRecord): void;
}

interface SnapshotRow {
  snapshot_id: string;
  run_id: string;
  round: number;
  text_hash: string;
  created_at: number;
}

function fromRow(row: SnapshotRow): SnapshotRecord {
  return {
    snapshotId: row.snapshot_id,
    runId: row.run_id,
    round: row.round,
    textHash: row.text_hash,
    createdAt: row.created_at,
  };
}

export function createSnapshots(db: Connection): SnapshotsWriter {
  const insert = db.prepare(`
    INSERT INTO snapshots (snapshot_id, run_id, round, text_hash, created_at)
    VALUES (@snapshotId, @runId, @round, @textHash, @createdAt)`);
  const select = db.prepare<SnapshotRow>('SELECT * FROM snapshots WHERE snapshot_id = @snapshotId');
  const byRound = db.prepare<SnapshotRow>('SELECT * FROM snapshots WHERE run_id = @runId AND round = @round');
  return {
    get: (snapshotId) => fromRow(required(select.get({ snapshotId }), 'snapshot', snapshotId)),
    findByRound(runId, round) {
      const row = byRound.get({ runId, round });
      return row === undefined ? null : fromRow(row);
    },
    insert: (snapshot) => void db.write(() => insert.run({ ...snapshot })),
  };
}
