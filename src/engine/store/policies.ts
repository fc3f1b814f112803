import type { Connection } from './connection.ts';
import { required } from './not-found.ts';

/** An exported ONNX policy of one agent group. The file lies beside the database, named by its content. */
export interface PolicyRecord {
  readonly policyId: string;
  readonly runId: string;
  readonly round: number;
  readonly group: string;
  /** Relative to the workspace root. */
  readonly file: string;
  readonly sha256: string;
  /** Of the policy's own parameters, as in its metadata. */
  readonly parameterHash: string;
  readonly createdAt: number;
}

export interface PoliciesReader {
  /** Throws store.notFound. */
  get(policyId: string): PolicyRecord;
  /** Newest first; of one run, or of all. */
  list(runId?: string): PolicyRecord[];
}

export interface PoliciesWriter extends PoliciesReader {
  /** The same (run, round, group) again replaces the earlier export. */
  insert(policy: PolicyRecord): void;
}

interface PolicyRow {
  policy_id: string;
  run_id: string;
  round: number;
  agent_group: string;
  file: string;
  sha256: string;
  parameter_hash: string;
  created_at: number;
}

function fromRow(row: PolicyRow): PolicyRecord {
  return {
    policyId: row.policy_id,
    runId: row.run_id,
    round: row.round,
    group: row.agent_group,
    file: row.file,
    sha256: row.sha256,
    parameterHash: row.parameter_hash,
    createdAt: row.created_at,
  };
}

export function createPolicies(db: Connection): PoliciesWriter {
  const insert = db.prepare(`
    INSERT OR REPLACE INTO policies (policy_id, run_id, round, agent_group, file, sha256, parameter_hash, created_at)
    VALUES (@policyId, @runId, @round, @group, @file, @sha256, @parameterHash, @createdAt)`);
  const select = db.prepare<PolicyRow>('SELECT * FROM policies WHERE policy_id = @policyId');
  const list = db.prepare<PolicyRow>(
    'SELECT * FROM policies WHERE @runId IS NULL OR run_id = @runId ORDER BY created_at DESC, rowid DESC',
  );
  return {
    get: (policyId) => fromRow(required(select.get({ policyId }), 'policy', policyId)),
    list: (runId) => list.all({ runId: runId ?? null }).map(fromRow),
    insert: (policy) => void db.write(() => insert.run({ ...policy })),
  };
}
