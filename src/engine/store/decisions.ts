import type { DecisionView } from '../../shared/contract/coach.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { Connection } from './connection.ts';
import { requireChanged } from './not-found.ts';

/** What became of a proposal, who said so and why. */
export interface DecisionRecord extends DecisionView {
  readonly proposalId: string;
  /** The EDL text that takes effect (the proposal's own, or the edited one); null for rejected. */
  readonly textHash: string | null;
  /** What later decisions go by, beside the note, which is for people. `budget`: nothing was found against it, there was no budget to try it. */
  readonly reason?: 'budget';
  /** The round in which the text came into force; null until then. */
  readonly appliedRound: number | null;
}

export interface DecisionsReader {
  find(proposalId: string): DecisionRecord | null;
  /** Accepted or edited, in force or not, oldest first. */
  listByRun(runId: string): DecisionRecord[];
}

export interface DecisionsWriter extends DecisionsReader {
  /** A decision stands: a second one for the same proposal is store.constraint. */
  record(decision: Omit<DecisionRecord, 'appliedRound'>): void;
  markApplied(proposalId: string, round: number): void;
}

interface DecisionRow {
  proposal_id: string;
  verdict: DecisionView['verdict'];
  author: DecisionView['author'];
  note: string;
  text_hash: string | null;
  decided_at: number;
  applied_round: number | null;
  validation: string | null;
  reason: 'budget' | null;
}

function fromRow(row: DecisionRow): DecisionRecord {
  return {
    proposalId: row.proposal_id,
    verdict: row.verdict,
    author: row.author,
    note: row.note,
    textHash: row.text_hash,
    decidedAt: row.decided_at,
    appliedRound: row.applied_round,
    ...(row.validation !== null && { validation: JSON.parse(row.validation) }),
    ...(row.reason !== null && { reason: row.reason }),
  };
}

export function createDecisions(db: Connection): DecisionsWriter {
  const insert = db.prepare(`
    INSERT INTO decisions (proposal_id, verdict, author, note, text_hash, decided_at, validation, reason)
    VALUES (@proposalId, @verdict, @author, @note, @textHash, @decidedAt, @validation, @reason)`);
  const markApplied = db.prepare(
    'UPDATE decisions SET applied_round = @round WHERE proposal_id = @proposalId',
  );
  const select = db.prepare<DecisionRow>('SELECT * FROM decisions WHERE proposal_id = @proposalId');
  const byRun = db.prepare<DecisionRow>(`
    SELECT d.* FROM decisions d JOIN proposals p USING (proposal_id)
    WHERE p.run_id = @runId AND d.verdict <> 'rejected' ORDER BY d.decided_at, d.rowid`);
  const listByRun = (runId: string): DecisionRecord[] => byRun.all({ runId }).map(fromRow);
  const find = (proposalId: string): DecisionRecord | null => {
    const row = select.get({ proposalId });
    return row === undefined ? null : fromRow(row);
  };
  return {
    find,
    listByRun,
    record(decision) {
      db.write(() => {
        const earlier = find(decision.proposalId);
        if (earlier !== null) throw alreadyDecided(earlier);
        const validation = decision.validation === undefined ? null : JSON.stringify(decision.validation);
        insert.run({ ...decision, validation, reason: decision.reason ?? null });
      });
    },
    markApplied(proposalId, round) {
      db.write(() =>
        requireChanged(markApplied.run({ proposalId, round }), 'decision on proposal', proposalId),
      );
    },
  };
}

function alreadyDecided({ proposalId, verdict, author }: DecisionRecord): AppError {
  const by = author === 'person' ? 'a person' : 'the automatic review';
  return new AppError(
    'store.constraint',
    `proposal "${proposalId}" was already ${verdict} by ${by}; a decision stands once given`,
    {
      data: { proposalId, verdict, author },
    },
  );
}
