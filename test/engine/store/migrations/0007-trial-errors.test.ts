import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

test('trials of a version 6 database are kept, without an error of their scores', () => {
  const db = oldDatabase(6, { a: 'rejected' });
  db.exec(`
    INSERT INTO trials (proposal_id) VALUES ('a');
    INSERT INTO trial_pairs (proposal_id, seed, candidate, control, charged_steps, evaluation_steps) VALUES ('a', '1', 3, 2, 5, 6);
  `);
  migrate(db, 7);
  expect(db.prepare('SELECT candidate, control, error FROM trial_pairs').get()).toEqual({
    ...{ candidate: 3, control: 2, error: null },
  });
});
