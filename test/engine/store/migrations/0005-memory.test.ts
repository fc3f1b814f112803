import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';

test('a version 4 database keeps its proposals and takes what is forgotten, which goes with its proposal', () => {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, 4);
  db.exec(`
    INSERT INTO texts VALUES ('h', 'name: x');
    INSERT INTO studies VALUES ('s', 'x', 'x.yaml', 'h', '{}', '{}', 'finished', 1, 2);
    INSERT INTO runs (run_id, study_id, arm, seed, configuration, total_steps, num_rounds, state, own_steps, charged_steps, round, created_at)
      VALUES ('r', 's', 'a', 1, '{}', 10, 1, 'finished', 10, 10, 0, 1);
    INSERT INTO snapshots (snapshot_id, run_id, round, text_hash, created_at) VALUES ('n', 'r', 0, 'h', 1);
    INSERT INTO proposals (proposal_id, run_id, round, candidate, snapshot_id, provider, before_hash, state, is_composed, details, created_at)
      VALUES ('p', 'r', 0, 0, 'n', 'rules', 'h', 'accepted', 1, '{}', 1);`);
  migrate(db, 5);
  expect(db.prepare('SELECT proposal_id FROM proposals').all()).toEqual([{ proposal_id: 'p' }]);
  db.exec(`INSERT INTO forgotten VALUES ('p', 7); INSERT INTO embeddings VALUES ('m', 'h', x'0000803f')`);
  db.exec(`DELETE FROM runs WHERE run_id = 'r'`);
  expect(db.prepare('SELECT count(*) AS n FROM forgotten').get()).toEqual({ n: 0 });
  expect(db.prepare('SELECT count(*) AS n FROM embeddings').get()).toEqual({ n: 1 });
});
