import type { MetricPoint, SeriesView } from '../../shared/contract/runs.ts';
import { AppError } from '../../shared/std/app-error.ts';
import type { Connection } from './connection.ts';
import { required } from './not-found.ts';
import {
  type Chunk,
  chunkCapacity,
  decodeChunk,
  describeChunk,
  emptyChunk,
  encodeChunk,
  extendChunk,
  truncateChunk,
} from './series-chunk.ts';
import { createSeriesReading } from './series-reading.ts';

/** Last value and extremes of one series; extremes leave NaN out and are null when there is nothing else. */
export interface SeriesSummary {
  readonly runId: string;
  readonly key: string;
  readonly numPoints: number;
  readonly lastStep: number;
  readonly last: number;
  readonly min: number | null;
  readonly max: number | null;
}

export interface SeriesQuery {
  readonly runId: string;
  readonly key: string;
  readonly fromStep?: number | undefined;
  readonly toStep?: number | undefined;
  readonly maxPoints: number;
}

export interface SeriesReader {
  /** Keys of the runs together, sorted. */
  keys(runIds: readonly string[]): string[];
  /** Min/max-decimated to at most maxPoints buckets. Throws store.notFound for a key the run does not have. */
  read(query: SeriesQuery): SeriesView;
  /** Every point from `afterSequence` on, chunk by chunk, for export. */
  points(runId: string, key: string): IterableIterator<{ step: number; value: number }>;
  /** Sorted by key. */
  summaries(runId: string): SeriesSummary[];
  /** Number of points the run has over all keys. */
  nextSequence(runId: string): number;
}

export interface SeriesWriter extends SeriesReader {
  /**
   * Adds points in the order given: points[i] has sequence number firstSequence + i, over all keys of the run. Those the run
   * has already are skipped (a message that came twice); a gap is store.constraint. Throws store.notFound.
   */
  append(runId: string, firstSequence: number, points: readonly MetricPoint[]): void;
  /** Forgets every point of the run from the given sequence on, and brings the summaries back in line. */
  cutBack(runId: string, endSequence: number): void;
}

interface TailRow {
  first_sequence: number;
  num_points: number;
  points: Uint8Array;
}

export function createSeries(db: Connection): SeriesWriter {
  const reading = createSeriesReading(db);
  const selectNext = db.prepare<{ next_sequence: number }>(
    'SELECT next_sequence FROM runs WHERE run_id = @runId',
  );
  const setNext = db.prepare('UPDATE runs SET next_sequence = @next WHERE run_id = @runId');
  const addSeries = db.prepare<{ series_id: number }>(`
    INSERT INTO metric_series (run_id, key) VALUES (@runId, @key)
    ON CONFLICT (run_id, key) DO UPDATE SET key = @key RETURNING series_id`);
  const selectIds = db.prepare<{ series_id: number }>(
    'SELECT series_id FROM metric_series WHERE run_id = @runId',
  );
  const selectTail = db.prepare<TailRow>(`
    SELECT first_sequence, num_points, points FROM metric_chunks
    WHERE series_id = @seriesId ORDER BY first_sequence DESC LIMIT 1`);
  const putChunk = db.prepare(`
    INSERT OR REPLACE INTO metric_chunks
      (series_id, first_sequence, num_points, first_step, last_step, low, high, total, num_finite, points)
    VALUES (@seriesId, @firstSequence, @numPoints, @firstStep, @lastStep, @low, @high, @sum, @numFinite, @points)`);
  const dropFrom = db.prepare(
    'DELETE FROM metric_chunks WHERE series_id = @seriesId AND first_sequence >= @endSequence',
  );
  const dropEmptySeries = db.prepare(`
    DELETE FROM metric_series WHERE run_id = @runId AND series_id NOT IN (SELECT series_id FROM metric_chunks)`);
  const summarize = db.prepare(`
    INSERT OR REPLACE INTO series_summary (series_id, num_points, last_step, last_value, min_value, max_value)
    SELECT series_id, sum(num_points), max(last_step), @last, min(low), max(high) FROM metric_chunks WHERE series_id = @seriesId
    GROUP BY series_id`);
  const growSummary = db.prepare(`
    INSERT INTO series_summary (series_id, num_points, last_step, last_value, min_value, max_value)
    VALUES (@seriesId, @numPoints, @lastStep, @last, @low, @high)
    ON CONFLICT (series_id) DO UPDATE SET num_points = num_points + @numPoints, last_step = @lastStep, last_value = @last,
      min_value = min(coalesce(min_value, @low), coalesce(@low, min_value)),
      max_value = max(coalesce(max_value, @high), coalesce(@high, max_value))`);

  type Point = { sequence: number; step: number; value: number };
  const writeChunk = (seriesId: number, chunk: Chunk): void => {
    putChunk.run({
      seriesId,
      firstSequence: chunk.sequences[0],
      ...describeChunk(chunk),
      points: encodeChunk(chunk),
    });
  };
  const appendToSeries = (seriesId: number, points: readonly Point[]): void => {
    const tail = selectTail.get({ seriesId });
    let chunk =
      tail === undefined || tail.num_points >= chunkCapacity ? emptyChunk : decodeChunk(tail.points);
    for (let start = 0; start < points.length; ) {
      const room = chunkCapacity - chunk.steps.length;
      chunk = extendChunk(chunk, points.slice(start, start + room));
      writeChunk(seriesId, chunk);
      start += room;
      chunk = emptyChunk;
    }
    const added = describeChunk(extendChunk(emptyChunk, points));
    growSummary.run({ seriesId, ...added, last: nullWhenNaN(points.at(-1)?.value) });
  };
  const cutSeries = (seriesId: number, endSequence: number): void => {
    dropFrom.run({ seriesId, endSequence });
    const tail = selectTail.get({ seriesId });
    if (tail === undefined) return;
    const chunk = truncateChunk(decodeChunk(tail.points), endSequence);
    writeChunk(seriesId, chunk);
    summarize.run({ seriesId, last: nullWhenNaN(chunk.values.at(-1)) });
  };
  return {
    ...reading,
    append(runId, firstSequence, points) {
      db.write(() => {
        const next = required(selectNext.get({ runId }), 'run', runId).next_sequence;
        if (firstSequence > next) throw gapError(runId, next, firstSequence);
        const added = points.slice(next - firstSequence);
        for (const [key, group] of groupByKey(added, next)) {
          const row = required(addSeries.get({ runId, key }), 'series', key);
          appendToSeries(row.series_id, group);
        }
        setNext.run({ runId, next: next + added.length });
      });
    },
    cutBack(runId, endSequence) {
      db.write(() => {
        for (const { series_id } of selectIds.all({ runId })) cutSeries(series_id, endSequence);
        dropEmptySeries.run({ runId });
        setNext.run({ runId, next: endSequence });
      });
    },
  };
}

function gapError(runId: string, expected: number, got: number): AppError {
  return new AppError(
    'store.constraint',
    `metric points of run "${runId}" are missing: expected number ${expected}, got ${got}; resume the run from its checkpoint`,
    { data: { runId, expected, got } },
  );
}

function nullWhenNaN(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function groupByKey(
  points: readonly MetricPoint[],
  firstSequence: number,
): Map<string, { sequence: number; step: number; value: number }[]> {
  const groups = new Map<string, { sequence: number; step: number; value: number }[]>();
  for (const [offset, { key, step, value }] of points.entries()) {
    const point = { sequence: firstSequence + offset, step, value };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [point]);
    else group.push(point);
  }
  return groups;
}
