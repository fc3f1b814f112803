import Database from 'better-sqlite3';
import { migrate } from '../../src/engine/store/migrations/migrate.ts';

const writtenBefore =
  '(proposal_id, run_id, round, candidate, snapshot_id, provider, before_hash, state, is_composed, details, created_at)';

/** A database as an earlier version left it: study s, run r, snapshot n of its first round, and proposals in the state given. */
export function oldDatabase(
  version: number,
  proposals: Readonly<Record<string, string>> = {},
): Database.Database {
  const db = new Database(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, version);
  db.exec(`
    INSERT INTO texts VALUES ('h', 'name: x');
    INSERT INTO studies VALUES ('s', 'x', 'x.yaml', 'h', '{}', '{}', 'finished', 1, 2);
    INSERT INTO runs (run_id, study_id, arm, seed, configuration, total_steps, num_rounds, state, own_steps, charged_steps, round, created_at)
      VALUES ('r', 's', 'a', 1, '{}', 10, 1, 'finished', 10, 10, 0, 1);
    INSERT INTO snapshots (snapshot_id, run_id, round, text_hash, created_at) VALUES ('n', 'r', 0, 'h', 1);`);
  const insert = db.prepare(
    `INSERT INTO proposals ${writtenBefore} VALUES (?, 'r', 0, ?, 'n', 'rules', 'h', ?, 1, '{}', 1)`,
  );
  for (const [index, [proposalId, state]] of Object.entries(proposals).entries())
    insert.run(proposalId, index, state);
  return db;
}
