import type { SeriesView } from '../../shared/contract/runs.ts';
import type { Connection } from './connection.ts';
import { createDecimator } from './decimate.ts';
import { required } from './not-found.ts';
import type { SeriesQuery, SeriesReader, SeriesSummary } from './series.ts';
import { type ChunkStats, chunkCapacity, decodeChunk } from './series-chunk.ts';

interface StatsRow {
  first_sequence: number;
  num_points: number;
  first_step: number;
  last_step: number;
  low: number | null;
  high: number | null;
  total: number;
  num_finite: number;
}

interface StepRange {
  readonly fromStep: number;
  readonly toStep: number;
}

interface Point {
  readonly step: number;
  readonly value: number;
}

interface SummaryRow {
  run_id: string;
  key: string;
  num_points: number;
  last_step: number;
  last_value: number | null;
  min_value: number | null;
  max_value: number | null;
}

function summaryFromRow(row: SummaryRow): SeriesSummary {
  return {
    runId: row.run_id,
    key: row.key,
    numPoints: row.num_points,
    lastStep: row.last_step,
    last: row.last_value ?? Number.NaN,
    min: row.min_value,
    max: row.max_value,
  };
}

function statsFromRow(row: StatsRow): ChunkStats {
  return {
    numPoints: row.num_points,
    firstStep: row.first_step,
    lastStep: row.last_step,
    low: row.low,
    high: row.high,
    sum: row.total,
    numFinite: row.num_finite,
  };
}

/**
 * The read side of `series`. Blobs are decoded one chunk at a time; a chunk that lies wholly inside the asked range
 * is taken by its statistics alone once a bucket holds at least one chunk.
 */
export function createSeriesReading(db: Connection): SeriesReader {
  const selectKeys = db.prepare<{ key: string }>(`
    SELECT DISTINCT key FROM metric_series WHERE run_id IN (SELECT value FROM json_each(@runIds)) ORDER BY key`);
  const selectSeries = db.prepare<{ series_id: number; num_points: number }>(`
    SELECT series_id, coalesce(num_points, 0) AS num_points FROM metric_series LEFT JOIN series_summary USING (series_id)
    WHERE run_id = @runId AND key = @key`);
  const selectStats = db.prepare<StatsRow>(`
    SELECT first_sequence, num_points, first_step, last_step, low, high, total, num_finite FROM metric_chunks
    WHERE series_id = @seriesId AND last_step >= @fromStep AND first_step <= @toStep ORDER BY first_sequence`);
  const selectPoints = db.prepare<{ points: Uint8Array }>(
    'SELECT points FROM metric_chunks WHERE series_id = @seriesId AND first_sequence = @firstSequence',
  );
  const selectSummaries = db.prepare<SummaryRow>(`
    SELECT s.run_id, s.key, y.num_points, y.last_step, y.last_value, y.min_value, y.max_value
    FROM metric_series s JOIN series_summary y USING (series_id) WHERE s.run_id = @runId ORDER BY s.key`);
  const selectNext = db.prepare<{ next_sequence: number }>(
    'SELECT next_sequence FROM runs WHERE run_id = @runId',
  );

  const findSeries = (runId: string, key: string) =>
    required(selectSeries.get({ runId, key }), 'series', `${runId} ${key}`);
  const loadChunk = (seriesId: number, firstSequence: number) =>
    decodeChunk(required(selectPoints.get({ seriesId, firstSequence }), 'chunk', firstSequence).points);

  /** The points of a chunk inside the range. */
  const loadRange = (seriesId: number, row: StatsRow, { fromStep, toStep }: StepRange): Point[] => {
    const { steps, values } = loadChunk(seriesId, row.first_sequence);
    const all = Array.from(steps, (step, index): Point => ({ step, value: values[index] ?? Number.NaN }));
    return all.filter(({ step }) => step >= fromStep && step <= toStep);
  };

  const read = (query: SeriesQuery): SeriesView => {
    const { runId, key, maxPoints } = query;
    const { series_id: seriesId, num_points: numPoints } = findSeries(runId, key);
    const range = { fromStep: query.fromStep ?? -Infinity, toStep: query.toStep ?? Infinity };
    const rows = selectStats.all({ seriesId, ...range });
    const isInside = (row: StatsRow) => row.first_step >= range.fromStep && row.last_step <= range.toStep;
    const cut = new Map(
      rows.filter((row) => !isInside(row)).map((row) => [row, loadRange(seriesId, row, range)]),
    );
    const inRange = rows.reduce((sum, row) => sum + (cut.get(row)?.length ?? row.num_points), 0);
    const pointsPerBucket = bucketSize(inRange, maxPoints);
    const decimator = createDecimator(pointsPerBucket);
    for (const row of rows) {
      if (!cut.has(row) && pointsPerBucket % chunkCapacity === 0) {
        decimator.addBlock(statsFromRow(row));
        continue;
      }
      for (const { step, value } of cut.get(row) ?? loadRange(seriesId, row, range)) {
        decimator.addPoint(step, value);
      }
    }
    return { runId, key, numPoints, ...decimator.finish() };
  };

  function* points(runId: string, key: string): IterableIterator<Point> {
    const { series_id: seriesId } = findSeries(runId, key);
    const range = { fromStep: -Infinity, toStep: Infinity };
    for (const row of selectStats.all({ seriesId, ...range })) yield* loadRange(seriesId, row, range);
  }

  return {
    keys: (runIds) => selectKeys.all({ runIds: JSON.stringify(runIds) }).map((row) => row.key),
    read,
    points,
    summaries: (runId) => selectSummaries.all({ runId }).map(summaryFromRow),
    nextSequence: (runId) => required(selectNext.get({ runId }), 'run', runId).next_sequence,
  };
}

/** Points per bucket so that at most maxPoints buckets come out; whole chunks as soon as that needs no blob. */
function bucketSize(numPoints: number, maxPoints: number): number {
  const size = Math.max(1, Math.ceil(numPoints / maxPoints));
  return size < chunkCapacity ? size : Math.ceil(size / chunkCapacity) * chunkCapacity;
}
