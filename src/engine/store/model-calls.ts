import type { ModelCallView } from '../../shared/contract/coach.ts';
import type { Connection } from './connection.ts';

/** One request to a language model with its answer. Prompt and output are hashes into `texts`. */
export interface ModelCallRecord extends Omit<ModelCallView, 'prompt' | 'output' | 'setup'> {
  readonly runId: string | null;
  readonly proposalId: string | null;
  /** Hash over everything that determines the answer; an answer on record is reused under it. */
  readonly requestKey: string;
  readonly promptHash: string;
  readonly outputHash: string;
  /** What the provider wants to find again (token log-probabilities, stop reason), as JSON data. */
  readonly details: unknown;
  readonly createdAt: number;
}

export interface ModelCallsReader {
  /** In the order they were made. */
  listByProposal(proposalId: string): ModelCallRecord[];
  /** The first answer of this run under the key; null: the model has to be asked. */
  findAnswer(runId: string | null, requestKey: string): ModelCallRecord | null;
  /** Whose answers a run has on record: each model, as it was loaded, once. */
  listModels(runId: string): { readonly modelHash: string; readonly setup: unknown }[];
}

export interface ModelCallsWriter extends ModelCallsReader {
  insert(call: ModelCallRecord): void;
}

interface ModelCallRow {
  model_call_id: string;
  run_id: string | null;
  proposal_id: string | null;
  request_key: string;
  model: string;
  model_hash: string;
  mode: ModelCallView['mode'];
  prompt_hash: string;
  output_hash: string;
  options: string;
  details: string;
  prompt_tokens: number;
  output_tokens: number;
  duration_ms: number;
  created_at: number;
}

function fromRow(row: ModelCallRow): ModelCallRecord {
  return {
    modelCallId: row.model_call_id,
    runId: row.run_id,
    proposalId: row.proposal_id,
    requestKey: row.request_key,
    model: row.model,
    modelHash: row.model_hash,
    mode: row.mode,
    promptHash: row.prompt_hash,
    outputHash: row.output_hash,
    options: JSON.parse(row.options),
    details: JSON.parse(row.details),
    promptTokens: row.prompt_tokens,
    outputTokens: row.output_tokens,
    durationMs: row.duration_ms,
    createdAt: row.created_at,
  };
}

export function createModelCalls(db: Connection): ModelCallsWriter {
  const insert = db.prepare(`
    INSERT INTO model_calls (model_call_id, run_id, proposal_id, request_key, model, model_hash, mode, prompt_hash, output_hash,
      options, details, prompt_tokens, output_tokens, duration_ms, created_at)
    VALUES (@modelCallId, @runId, @proposalId, @requestKey, @model, @modelHash, @mode, @promptHash, @outputHash,
      @options, @details, @promptTokens, @outputTokens, @durationMs, @createdAt)`);
  const byProposal = db.prepare<ModelCallRow>(
    'SELECT * FROM model_calls WHERE proposal_id = @proposalId ORDER BY rowid',
  );
  const byKey = db.prepare<ModelCallRow>(
    'SELECT * FROM model_calls WHERE run_id IS @runId AND request_key = @requestKey ORDER BY rowid LIMIT 1',
  );
  const models = db.prepare<{ model_hash: string; setup: string | null }>(`
    SELECT DISTINCT model_hash, json_extract(details, '$.setup') AS setup FROM model_calls WHERE run_id = @runId
    ORDER BY model_hash, setup`);
  return {
    listByProposal: (proposalId) => byProposal.all({ proposalId }).map(fromRow),
    findAnswer(runId, requestKey) {
      const row = byKey.get({ runId, requestKey });
      return row === undefined ? null : fromRow(row);
    },
    listModels: (runId) =>
      models.all({ runId }).map(({ model_hash, setup }) => ({
        modelHash: model_hash,
        setup: setup === null ? null : JSON.parse(setup),
      })),
    insert(call) {
      const json = { options: JSON.stringify(call.options), details: JSON.stringify(call.details ?? null) };
      db.write(() => insert.run({ ...call, ...json }));
    },
  };
}
