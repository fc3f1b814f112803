import type { ConcludedTrial } from '../../shared/contract/coach.ts';
import type { Connection } from './connection.ts';

/** Candidate and control trained from the same fork with the same seed, both scored on the objective environment. */
export interface TrialPair {
  /** Decimal; seeds are 64-bit. */
  readonly seed: string;
  readonly candidate: number;
  readonly control: number;
  /** Standard error of their difference, over the episodes that each was scored on; absent: not measured, as in trials of before. */
  readonly error?: number;
  /** Training steps of the candidate's branch plus its share of the control's; they count in the budget. */
  readonly chargedSteps: number;
  readonly evaluationSteps: number;
}

export type TrialSummary = Pick<
  ConcludedTrial,
  'meanDifference' | 'low' | 'high' | 'numPairs' | 'leastGain' | 'probabilityOfImprovement' | 'verdict'
>;

/** A trial that ended because training broke down in the candidate, or in its control. */
export interface TrialFailure {
  readonly seed: string;
  /** What broke down, in which environment. */
  readonly message: string;
  /** Steps taken until then, counted as those of a pair. */
  readonly chargedSteps: number;
  readonly evaluationSteps: number;
}

/** What a boundary set out to try; the boundary keeps to it when it is gone through again. */
export interface TrialPlanRecord {
  readonly proposalIds: readonly string[];
  readonly stepsPerBranch: number;
  readonly screeningPairs: number;
  /** The same by rung of successive halving; absent where there was one. */
  readonly rungs?: readonly number[];
  readonly decidingPairs: number;
}

/** The what-if of one proposal: pairs as they came in, and the conclusion once it is drawn. */
export interface TrialRecord {
  readonly proposalId: string;
  readonly pairs: readonly TrialPair[];
  readonly summary: TrialSummary | null;
  /** Null unless it broke down; there is no summary then. */
  readonly failure: TrialFailure | null;
}

export interface TrialsReader {
  find(proposalId: string): TrialRecord | null;
  /** The plan of the boundary after `round`; null while there is none. */
  findPlan(runId: string, round: number): TrialPlanRecord | null;
  /**
   * Whether pairs that had no part in selecting it decided on a candidate: one that was screened out has none. In records
   * without a plan, the oldest, all pairs decided.
   */
  wasDecided(proposalId: string): boolean;
  /** Charged trial steps of a run so far, those of failures included. */
  chargedSteps(runId: string): number;
}

export interface TrialsWriter extends TrialsReader {
  /** Adds one pair; the same seed again replaces it (a trial interrupted half-way is repeated). */
  addPair(proposalId: string, pair: TrialPair): void;
  conclude(proposalId: string, summary: TrialSummary): void;
  fail(proposalId: string, failure: TrialFailure): void;
  /** A plan stands: a second one for the same boundary is store.constraint. */
  plan(runId: string, round: number, plan: TrialPlanRecord): void;
}

interface PairRow {
  seed: string;
  candidate: number;
  control: number;
  error: number | null;
  charged_steps: number;
  evaluation_steps: number;
}

interface FailureRow {
  seed: string;
  message: string;
  charged_steps: number;
  evaluation_steps: number;
}

function failureFromRow(row: FailureRow | undefined): TrialFailure | null {
  if (row === undefined) return null;
  const { seed, message } = row;
  return { seed, message, chargedSteps: row.charged_steps, evaluationSteps: row.evaluation_steps };
}

function pairFromRow(row: PairRow): TrialPair {
  return {
    seed: row.seed,
    candidate: row.candidate,
    control: row.control,
    ...(row.error !== null && { error: row.error }),
    chargedSteps: row.charged_steps,
    evaluationSteps: row.evaluation_steps,
  };
}

export function createTrials(db: Connection): TrialsWriter {
  const open = db.prepare('INSERT OR IGNORE INTO trials (proposal_id) VALUES (@proposalId)');
  const insertPair = db.prepare(`
    INSERT INTO trial_pairs (proposal_id, seed, candidate, control, error, charged_steps, evaluation_steps)
    VALUES (@proposalId, @seed, @candidate, @control, @error, @chargedSteps, @evaluationSteps)
    ON CONFLICT (proposal_id, seed) DO UPDATE SET candidate = @candidate, control = @control, error = @error,
      charged_steps = @chargedSteps, evaluation_steps = @evaluationSteps`);
  const conclude = db.prepare('UPDATE trials SET summary = @summary WHERE proposal_id = @proposalId');
  const select = db.prepare<{ summary: string | null }>(
    'SELECT summary FROM trials WHERE proposal_id = @proposalId',
  );
  const pairs = db.prepare<PairRow>(
    'SELECT * FROM trial_pairs WHERE proposal_id = @proposalId ORDER BY rowid',
  );
  const charged = db.prepare<{ steps: number }>(`
    SELECT coalesce(sum(t.charged_steps), 0) AS steps FROM (
      SELECT proposal_id, charged_steps FROM trial_pairs UNION ALL SELECT proposal_id, charged_steps FROM trial_failures
    ) t JOIN proposals p USING (proposal_id) WHERE p.run_id = @runId`);
  const selectFailure = db.prepare<FailureRow>(
    'SELECT * FROM trial_failures WHERE proposal_id = @proposalId',
  );
  const insertFailure = db.prepare(`
    INSERT INTO trial_failures (proposal_id, seed, message, charged_steps, evaluation_steps)
    VALUES (@proposalId, @seed, @message, @chargedSteps, @evaluationSteps)`);
  const selectPlan = db.prepare<{ plan: string }>(
    'SELECT plan FROM trial_plans WHERE run_id = @runId AND round = @round',
  );
  // With lag, a candidate is tried at a later boundary than the one it was asked for at.
  const selectScreening = db.prepare<{ pairs: number }>(`
    SELECT t.plan ->> 'screeningPairs' AS pairs FROM proposals p JOIN trial_plans t USING (run_id)
    JOIN json_each(t.plan, '$.proposalIds') c ON c.value = p.proposal_id WHERE p.proposal_id = @proposalId`);
  const insertPlan = db.prepare(
    'INSERT INTO trial_plans (run_id, round, plan) VALUES (@runId, @round, @plan)',
  );
  const find = (proposalId: string): TrialRecord | null => {
    const row = select.get({ proposalId });
    if (row === undefined) return null;
    const summary: TrialSummary | null = row.summary === null ? null : JSON.parse(row.summary);
    const failure = failureFromRow(selectFailure.get({ proposalId }));
    return { proposalId, pairs: pairs.all({ proposalId }).map(pairFromRow), summary, failure };
  };
  return {
    find,
    wasDecided(proposalId) {
      const trial = find(proposalId);
      if (trial === null || trial.summary === null) return false;
      // Pairs that screen come first.
      return trial.pairs.length > (selectScreening.get({ proposalId })?.pairs ?? 0);
    },
    findPlan(runId, round) {
      const row = selectPlan.get({ runId, round });
      return row === undefined ? null : JSON.parse(row.plan);
    },
    chargedSteps: (runId) => charged.get({ runId })?.steps ?? 0,
    addPair(proposalId, pair) {
      db.write(() => {
        open.run({ proposalId });
        insertPair.run({ proposalId, ...pair, error: pair.error ?? null });
      });
    },
    conclude(proposalId, summary) {
      db.write(() => {
        open.run({ proposalId });
        conclude.run({ proposalId, summary: JSON.stringify(summary) });
      });
    },
    fail(proposalId, failure) {
      db.write(() => {
        open.run({ proposalId });
        insertFailure.run({ proposalId, ...failure });
      });
    },
    plan: (runId, round, plan) =>
      void db.write(() => insertPlan.run({ runId, round, plan: JSON.stringify(plan) })),
  };
}
