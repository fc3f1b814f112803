import type { ProposalBody, ProposalState, ProposedChange } from '../../shared/contract/coach.ts';
import type { Connection } from './connection.ts';
import { requireChanged, required } from './not-found.ts';

/** One answer of a coach to one snapshot, from the question on. Texts are hashes into `texts`. */
export interface ProposalRecord {
  readonly proposalId: string;
  readonly runId: string;
  readonly round: number;
  /** Which of the candidates asked for at this boundary, 0-based. */
  readonly candidate: number;
  readonly snapshotId: string;
  readonly provider: string;
  readonly model: string | null;
  /** The rendered prompt; null where the provider reads none. */
  readonly promptHash: string | null;
  /** The EDL text in force when it was asked. */
  readonly beforeHash: string;
  readonly state: ProposalState;
  /** The provider's raw output; null until it answered. */
  readonly answerHash: string | null;
  readonly isComposed: boolean;
  readonly body: ProposalBody | null;
  /** The EDL text with the changes applied; null until (or unless) they apply. */
  readonly afterHash: string | null;
  /** What the pipeline wants to find again (trigger, stages of the ranking, failure), as JSON data. */
  readonly details: unknown;
  readonly createdAt: number;
  /** Why a person is asked without a trial; null: nobody is, or there is one. */
  readonly untried: string | null;
}

export interface ProposalAnswer {
  readonly answerHash: string | null;
  readonly isComposed: boolean;
  readonly body: ProposalBody | null;
  readonly afterHash: string | null;
  readonly details: unknown;
  readonly state: ProposalState;
}

export interface ProposalFilter {
  readonly studyId?: string | undefined;
  readonly runId?: string | undefined;
  readonly round?: number | undefined;
}

export interface ProposalsReader {
  find(proposalId: string): ProposalRecord | null;
  /** Throws store.notFound. */
  get(proposalId: string): ProposalRecord;
  /** Newest first. */
  list(filter: ProposalFilter): ProposalRecord[];
}

export interface ProposalsWriter extends ProposalsReader {
  /** Records that a coach was asked, before it is; the same id again is a no-op. */
  insert(proposal: Omit<ProposalRecord, Exclude<keyof ProposalAnswer, 'details'> | 'untried'>): void;
  /** Records what came back, its changes one row each, in one transaction. */
  answer(proposalId: string, answer: ProposalAnswer): void;
  setState(proposalId: string, state: ProposalState): void;
  /** Leaves a proposal to a person, untried, and says why. */
  leave(proposalId: string, untried: string): void;
}

interface ProposalRow {
  proposal_id: string;
  run_id: string;
  round: number;
  candidate: number;
  snapshot_id: string;
  provider: string;
  model: string | null;
  prompt_hash: string | null;
  before_hash: string;
  state: ProposalState;
  answer_hash: string | null;
  is_composed: number;
  analysis: string | null;
  wishes: string | null;
  after_hash: string | null;
  details: string;
  created_at: number;
  untried: string | null;
}

interface ChangeRow {
  op: ProposedChange['op'];
  target: string;
  edl: string;
  description: string;
  implementation_hint: string;
  expected_impact: string;
}

function changeFromRow(row: ChangeRow): ProposedChange {
  return { ...row, expected_impact: JSON.parse(row.expected_impact) };
}

function fromRow(row: ProposalRow, changes: ChangeRow[]): ProposalRecord {
  const { analysis } = row;
  const body =
    analysis === null
      ? null
      : { analysis, changes: changes.map(changeFromRow), wishes: JSON.parse(row.wishes ?? '[]') };
  return {
    proposalId: row.proposal_id,
    runId: row.run_id,
    round: row.round,
    candidate: row.candidate,
    snapshotId: row.snapshot_id,
    provider: row.provider,
    model: row.model,
    promptHash: row.prompt_hash,
    beforeHash: row.before_hash,
    state: row.state,
    answerHash: row.answer_hash,
    isComposed: row.is_composed === 1,
    body,
    afterHash: row.after_hash,
    details: JSON.parse(row.details),
    createdAt: row.created_at,
    untried: row.untried,
  };
}

const listSql = `
  SELECT p.* FROM proposals p JOIN runs r USING (run_id)
  WHERE (@studyId IS NULL OR r.study_id = @studyId) AND (@runId IS NULL OR p.run_id = @runId)
    AND (@round IS NULL OR p.round = @round)
  ORDER BY p.created_at DESC, p.rowid DESC`;

export function createProposals(db: Connection): ProposalsWriter {
  const insert = db.prepare(`
    INSERT INTO proposals
      (proposal_id, run_id, round, candidate, snapshot_id, provider, model, prompt_hash, before_hash, state, is_composed,
      details, created_at)
    VALUES (@proposalId, @runId, @round, @candidate, @snapshotId, @provider, @model, @promptHash, @beforeHash,
      'asked', 0, @details, @createdAt)
    ON CONFLICT (proposal_id) DO NOTHING`);
  const answer = db.prepare(`
    UPDATE proposals SET state = @state, answer_hash = @answerHash, is_composed = @isComposed,
      analysis = @analysis, wishes = @wishes,
      after_hash = @afterHash, details = @details WHERE proposal_id = @proposalId`);
  const setState = db.prepare('UPDATE proposals SET state = @state WHERE proposal_id = @proposalId');
  const leave = db.prepare(
    "UPDATE proposals SET state = 'awaiting', untried = @untried WHERE proposal_id = @proposalId",
  );
  const select = db.prepare<ProposalRow>('SELECT * FROM proposals WHERE proposal_id = @proposalId');
  const list = db.prepare<ProposalRow>(listSql);
  const deleteChanges = db.prepare('DELETE FROM changes WHERE proposal_id = @proposalId');
  const insertChange = db.prepare(`
    INSERT INTO changes (proposal_id, position, op, target, edl, description, implementation_hint, expected_impact)
    VALUES (@proposalId, @position, @op, @target, @edl, @description, @implementation_hint, @impact)`);
  const selectChanges = db.prepare<ChangeRow>(`
    SELECT op, target, edl, description, implementation_hint, expected_impact FROM changes
    WHERE proposal_id = @proposalId ORDER BY position`);

  const complete = (row: ProposalRow): ProposalRecord =>
    fromRow(row, selectChanges.all({ proposalId: row.proposal_id }));
  const find = (proposalId: string): ProposalRecord | null => {
    const row = select.get({ proposalId });
    return row === undefined ? null : complete(row);
  };
  const writeChanges = (proposalId: string, changes: readonly ProposedChange[]): void => {
    deleteChanges.run({ proposalId });
    for (const [position, change] of changes.entries()) {
      insertChange.run({
        proposalId,
        position,
        ...change,
        expected_impact: null,
        impact: JSON.stringify(change.expected_impact),
      });
    }
  };
  return {
    find,
    get: (proposalId) => required(find(proposalId), 'proposal', proposalId),
    list: ({ studyId, runId, round }) =>
      list.all({ studyId: studyId ?? null, runId: runId ?? null, round: round ?? null }).map(complete),
    insert: (proposal) =>
      void db.write(() => insert.run({ ...proposal, details: JSON.stringify(proposal.details ?? null) })),
    answer(proposalId, { body, isComposed, details, ...rest }) {
      const wishes = body === null ? null : JSON.stringify(body.wishes);
      const params = {
        proposalId,
        ...rest,
        isComposed: isComposed ? 1 : 0,
        analysis: body?.analysis ?? null,
        details: JSON.stringify(details ?? null),
        wishes,
      };
      db.write(() => {
        requireChanged(answer.run(params), 'proposal', proposalId);
        writeChanges(proposalId, body?.changes ?? []);
      });
    },
    setState(proposalId, state) {
      db.write(() => requireChanged(setState.run({ proposalId, state }), 'proposal', proposalId));
    },
    leave(proposalId, untried) {
      db.write(() => requireChanged(leave.run({ proposalId, untried }), 'proposal', proposalId));
    },
  };
}
