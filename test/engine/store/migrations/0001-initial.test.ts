import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';

test('an empty file gets every table of version 1', () => {
  const db = new Database(':memory:');
  migrate(db, 1);
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  expect(tables).toEqual(
    expect.arrayContaining([
      'texts',
      'leases',
      'studies',
      'runs',
      'rounds',
      'checkpoints',
      'metric_series',
      'metric_chunks',
    ]),
  );
  expect(tables).toEqual(
    expect.arrayContaining([
      'snapshots',
      'proposals',
      'changes',
      'validations',
      'trials',
      'decisions',
      'model_calls',
      'policies',
    ]),
  );
  expect(tables).not.toContain('series_summary');
});
