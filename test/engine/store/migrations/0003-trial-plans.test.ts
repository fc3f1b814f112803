import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

test('a version 2 database keeps its trials and takes plans and failures, which go with their run', () => {
  const db = oldDatabase(2, { p: 'trying' });
  db.exec(`
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
