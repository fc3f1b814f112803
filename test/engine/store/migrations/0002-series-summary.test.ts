import { expect, test } from 'vitest';
import { migrate } from '../../../../src/engine/store/migrations/migrate.ts';
import { oldDatabase } from '../../../support/old-database.ts';

/** Little-endian f64: sequences, steps, values; written out so that the format itself is held. */
function blob(sequences: number[], steps: number[], values: number[]): Buffer {
  const all = [...sequences, ...steps, ...values];
  const bytes = Buffer.alloc(all.length * 8);
  for (const [index, value] of all.entries()) bytes.writeDoubleLE(value, index * 8);
  return bytes;
}

test('last and best values of a version 1 database are computed from its chunks', () => {
  const db = oldDatabase(1);
  db.exec(`
    INSERT INTO metric_series VALUES (1, 'r', 'two/chunks'), (2, 'r', 'only/nan');`);
  const insert = db.prepare('INSERT INTO metric_chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  insert.run(1, 0, 2, 1, 2, 3, 9, 12, 2, blob([0, 1], [1, 2], [9, 3]));
  insert.run(1, 4, 1, 3, 3, -5, -5, -5, 1, blob([4], [3], [-5]));
  insert.run(2, 2, 1, 7, 7, null, null, 0, 0, blob([2], [7], [Number.NaN]));
  migrate(db, 2);
  expect(db.prepare('SELECT * FROM series_summary ORDER BY series_id').all()).toEqual([
    { series_id: 1, num_points: 3, last_step: 3, last_value: -5, min_value: -5, max_value: 9 },
    { series_id: 2, num_points: 1, last_step: 7, last_value: null, min_value: null, max_value: null },
  ]);
});
