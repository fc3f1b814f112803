import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

test('a version 3 database keeps its decisions and takes rollbacks, which go with their run', () => {
  const db = oldDatabase(3, { p: 'accepted' });
  db.exec(`
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
