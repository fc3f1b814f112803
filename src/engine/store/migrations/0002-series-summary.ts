import { decodeChunk } from '../series-chunk.ts';
import type { Migration } from './migration.ts';

interface TailRow {
  series_id: number;
  num_points: number;
  last_step: number;
  low: number | null;
  high: number | null;
  points: Uint8Array;
}

/** Adds last and best values per series, computed once from the chunks that are there. */
export const seriesSummary: Migration = {
  version: 2,
  slug: 'series-summary',
  up(db) {
    db.exec(`
      CREATE TABLE series_summary (
        series_id INTEGER PRIMARY KEY REFERENCES metric_series (series_id) ON DELETE CASCADE, num_points INTEGER NOT NULL,
        last_step REAL NOT NULL, last_value REAL, min_value REAL, max_value REAL
      ) STRICT;
    `);
    const insert = db.prepare('INSERT INTO series_summary VALUES (?, ?, ?, ?, ?, ?)');
    const tails = db.prepare<[], TailRow>(`
      SELECT c.series_id, a.num_points, a.last_step, a.low, a.high, c.points FROM metric_chunks c JOIN (
        SELECT series_id, max(first_sequence) AS first_sequence, sum(num_points) AS num_points, max(last_step) AS last_step,
          min(low) AS low, max(high) AS high FROM metric_chunks GROUP BY series_id
      ) a USING (series_id, first_sequence)`);
    for (const row of tails.all()) {
      const last = decodeChunk(row.points).values.at(-1) ?? Number.NaN;
      insert.run(
        row.series_id,
        row.num_points,
        row.last_step,
        Number.isNaN(last) ? null : last,
        row.low,
        row.high,
      );
    }
  },
};
