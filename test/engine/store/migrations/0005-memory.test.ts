import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

test('a version 4 database keeps its proposals and takes what is forgotten, which goes with its proposal', () => {
  const db = oldDatabase(4, { p: 'accepted' });
  migrate(db, 5);
  expect(db.prepare('SELECT proposal_id FROM proposals').all()).toEqual([{ proposal_id: 'p' }]);
  db.exec(`INSERT INTO forgotten VALUES ('p', 7); INSERT INTO embeddings VALUES ('m', 'h', x'0000803f')`);
  db.exec(`DELETE FROM runs WHERE run_id = 'r'`);
  expect(db.prepare('SELECT count(*) AS n FROM forgotten').get()).toEqual({ n: 0 });
  expect(db.prepare('SELECT count(*) AS n FROM embeddings').get()).toEqual({ n: 1 });
});
