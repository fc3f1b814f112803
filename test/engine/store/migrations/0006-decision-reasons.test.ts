import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

test('what a version 5 database turned down for want of budget is known by a code, and nothing else is', () => {
  const nothing = 'what is left of the trial budget does not pay for two pairs of one iteration';
  const others =
    'the trial budget of this boundary does not reach for it besides the candidates before it; it may be proposed again';
  const decisions = [
    ['a', 'automatic', nothing],
    ['b', 'automatic', others],
    ['c', 'automatic', 'its trial did not beat the unchanged environment'],
    ['d', 'person', nothing],
  ] as const;
  const db = oldDatabase(5, Object.fromEntries(decisions.map(([id]) => [id, 'rejected'])));
  const insert = db.prepare(
    `INSERT INTO decisions (proposal_id, verdict, author, note, decided_at) VALUES (?, 'rejected', ?, ?, 5)`,
  );
  for (const [id, author, note] of decisions) insert.run(id, author, note);
  migrate(db, 6);
  expect(db.prepare('SELECT reason FROM decisions ORDER BY proposal_id').pluck().all()).toEqual([
    ...['budget', 'budget', null, null],
  ]);
});
