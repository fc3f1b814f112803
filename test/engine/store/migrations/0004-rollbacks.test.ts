import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';

test('a version 3 database keeps its decisions and takes rollbacks, which go with their run', () => {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, 3);
  db.exec(`
    INSERT INTO texts VALUES ('h', 'name: x');
    INSERT INTO studies VALUES ('s', 'x', 'x.yaml', 'h', '{}', '{}', 'finished', 1, 2);
    INSERT INTO runs (run_id, study_id, arm, seed, configuration, total_steps, num_rounds, state, own_steps, charged_steps, round, created_at)
      VALUES ('r', 's', 'a', 1, '{}', 10, 1, 'finished', 10, 10, 0, 1);
    INSERT INTO snapshots (snapshot_id, run_id, round, text_hash, created_at) VALUES ('n', 'r', 0, 'h', 1);
    INSERT INTO proposals (proposal_id, run_id, round, candidate, snapshot_id, provider, before_hash, state, is_composed, details, created_at)
      VALUES ('p', 'r', 0, 0, 'n', 'rules', 'h', 'accepted', 1, '{}', 1);
    INSERT INTO decisions (proposal_id, verdict, author, note, text_hash, decided_at, applied_round)
      VALUES ('p', 'accepted', 'person', 'good', 'h', 5, 0);`);
  migrate(db, 4);
  expect(db.prepare('SELECT verdict, note, validation FROM decisions').get()).toEqual({
    verdict: 'accepted',
    note: 'good',
    validation: null,
  });
  db.exec(`INSERT INTO rollbacks VALUES ('r', 1, 'h', 'h', -12, -10, 1, '["p"]', 'it fell', 6)`);
  db.exec(`DELETE FROM runs WHERE run_id = 'r'`);
  expect(db.prepare('SELECT count(*) AS n FROM rollbacks').get()).toEqual({ n: 0 });
});
