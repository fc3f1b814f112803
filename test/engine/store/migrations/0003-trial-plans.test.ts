import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';

test('a version 2 database keeps its trials and takes plans and failures, which go with their run', () => {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, 2);
  db.exec(`
    INSERT INTO texts VALUES ('h', 'name: x');
    INSERT INTO studies VALUES ('s', 'x', 'x.yaml', 'h', '{}', '{}', 'finished', 1, 2);
    INSERT INTO runs (run_id, study_id, arm, seed, configuration, total_steps, num_rounds, state, own_steps, charged_steps, round, created_at)
      VALUES ('r', 's', 'a', 1, '{}', 10, 1, 'finished', 10, 10, 0, 1);
    INSERT INTO snapshots (snapshot_id, run_id, round, text_hash, created_at) VALUES ('n', 'r', 0, 'h', 1);
    INSERT INTO proposals (proposal_id, run_id, round, candidate, snapshot_id, provider, before_hash, state, is_composed, details, created_at)
      VALUES ('p', 'r', 0, 0, 'n', 'rules', 'h', 'trying', 1, '{}', 1);
    INSERT INTO trials (proposal_id) VALUES ('p');
    INSERT INTO trial_pairs VALUES ('p', '1', 2, 1, 10, 5);`);
  migrate(db, 3);
  db.exec(`
    INSERT INTO trial_plans VALUES ('r', 0, '{}');
    INSERT INTO trial_failures VALUES ('p', '2', 'loss is NaN', 10, 0);`);
  const count = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
  expect(count('trial_pairs')).toEqual({ n: 1 });
  db.exec(`DELETE FROM runs WHERE run_id = 'r'`);
  expect([count('trial_plans'), count('trial_failures')]).toEqual([{ n: 0 }, { n: 0 }]);
});
