import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';

test('what a version 5 database turned down for want of budget is known by a code, and nothing else is', () => {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, 5);
  db.exec(`
    INSERT INTO texts VALUES ('h', 'name: x');
    INSERT INTO studies VALUES ('s', 'x', 'x.yaml', 'h', '{}', '{}', 'finished', 1, 2);
    INSERT INTO runs (run_id, study_id, arm, seed, configuration, total_steps, num_rounds, state, own_steps, charged_steps, round, created_at)
      VALUES ('r', 's', 'a', 1, '{}', 10, 1, 'finished', 10, 10, 0, 1);
    INSERT INTO snapshots (snapshot_id, run_id, round, text_hash, created_at) VALUES ('n', 'r', 0, 'h', 1);`);
  const nothing = 'what is left of the trial budget does not pay for two pairs of one iteration';
  const others =
    'the trial budget of this boundary does not reach for it besides the candidates before it; it may be proposed again';
  const decisions = [
    ['a', 'automatic', nothing],
    ['b', 'automatic', others],
    ['c', 'automatic', 'its trial did not beat the unchanged environment'],
    ['d', 'person', nothing],
  ] as const;
  for (const [index, [id, author, note]] of decisions.entries()) {
    db.prepare(
      `INSERT INTO proposals (proposal_id, run_id, round, candidate, snapshot_id, provider, before_hash, state, is_composed, details, created_at)
        VALUES (?, 'r', 0, ?, 'n', 'rules', 'h', 'rejected', 1, '{}', 1)`,
    ).run(id, index);
    db.prepare(
      `INSERT INTO decisions (proposal_id, verdict, author, note, decided_at) VALUES (?, 'rejected', ?, ?, 5)`,
    ).run(id, author, note);
  }
  migrate(db, 6);
  expect(db.prepare('SELECT reason FROM decisions ORDER BY proposal_id').pluck().all()).toEqual([
    ...['budget', 'budget', null, null],
  ]);
});
