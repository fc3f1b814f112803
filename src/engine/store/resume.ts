import type { CheckpointRecord, CheckpointsReader } from './checkpoints.ts';
import type { Connection } from './connection.ts';
import type { SeriesWriter } from './series.ts';

/**
 * Takes a run back to its latest checkpoint in one transaction: metric points recorded after it are forgotten, rounds that
 * ended after it are open again (or gone, if they also began later), and the run's counters read as they did then.
 * Proposals, model calls, trials and decisions stay: what is on record is not done again.
 * Returns the checkpoint, or null after taking the run back to its very beginning.
 */
export type CutBack = (runId: string) => CheckpointRecord | null;

export function createCutBack(db: Connection, checkpoints: CheckpointsReader, series: SeriesWriter): CutBack {
  const reopenRounds = db.prepare(`
    UPDATE rounds SET own_steps = NULL, charged_steps = NULL, objective = NULL, parameter_hash = NULL, checkpoint_file = NULL,
      record_file = NULL, report = NULL, finished_at = NULL
    WHERE run_id = @runId AND (own_steps > @ownSteps OR (round >= @round AND NOT @isRoundEnd))`);
  const dropRounds = db.prepare(
    'DELETE FROM rounds WHERE run_id = @runId AND round > @round AND finished_at IS NULL',
  );
  const resetRun = db.prepare(`
    UPDATE runs SET own_steps = @ownSteps, charged_steps = @chargedSteps, round = @round, parameter_hash = @parameterHash
    WHERE run_id = @runId`);
  const start = {
    file: '',
    ownSteps: 0,
    chargedSteps: 0,
    round: 0,
    isRoundEnd: false,
    parameterHash: null,
    sequence: 0,
  };
  return (runId) =>
    db.write(() => {
      const checkpoint = checkpoints.findLatest(runId);
      const { ownSteps, chargedSteps, round, isRoundEnd, parameterHash, sequence } = checkpoint ?? start;
      series.cutBack(runId, sequence);
      reopenRounds.run({ runId, ownSteps, round, isRoundEnd: isRoundEnd ? 1 : 0 });
      dropRounds.run({ runId, round });
      resetRun.run({ runId, ownSteps, chargedSteps, round, parameterHash });
      return checkpoint;
    });
}
