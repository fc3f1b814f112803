import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

test('proposals of a version 7 database are kept, without a reason why they were not tried', () => {
  const db = oldDatabase(7, { a: 'awaiting' });
  migrate(db, 8);
  expect(db.prepare('SELECT proposal_id, state, untried FROM proposals').get()).toEqual({
    ...{ proposal_id: 'a', state: 'awaiting', untried: null },
  });
});
