import type { Client } from '../../shared/contract/index.ts';
import type { SeriesView } from '../../shared/contract/runs.ts';
import { createLiveSeries, type LiveSeries, type SeriesColumns } from './series-columns.ts';

export interface StepRange {
  readonly from: number;
  readonly to: number;
}

/** Data of one chart: one metric of several runs, live, refined when a range of steps is looked at. */
export interface ChartSource {
  readonly key: string;
  setRuns(runIds: readonly string[]): void;
  /** Fetches the range at full width; null goes back to the whole. */
  setRange(range: StepRange | null): void;
  columnsOf(runId: string): SeriesColumns | null;
  /** Called after data changed; not more than once per batch of points. */
  onChange(listener: () => void): () => void;
  dispose(): void;
}

const maxPoints = 1500;
/** After so many live points the overview is fetched again, decimated. */
const refetchAfter = 3000;

export function createChartSource(client: Client, key: string): ChartSource {
  const series = new Map<string, LiveSeries>();
  const details = new Map<string, SeriesView>();
  const listeners = new Set<() => void>();
  let range: StepRange | null = null;
  let isDisposed = false;

  const emit = (): void => {
    if (!isDisposed) for (const listener of listeners) listener();
  };

  const fetchOverview = async (runId: string): Promise<void> => {
    const view = await client.runs.series({ runId, key, maxPoints });
    series.get(runId)?.adopt(view);
    emit();
  };

  const fetchDetail = async (runId: string, wanted: StepRange): Promise<void> => {
    const view = await client.runs.series({
      runId,
      key,
      fromStep: wanted.from,
      toStep: wanted.to,
      maxPoints,
    });
    if (range !== wanted || !series.has(runId)) return;
    details.set(runId, view);
    emit();
  };

  // A run without this metric has no series yet: its chart stays empty until points arrive.
  const ignoreMissing = (): undefined => undefined;

  const unsubscribe = client.on('metrics.appended', ({ runId, points }) => {
    const live = series.get(runId);
    if (!live) return;
    let hasNew = false;
    for (const point of points) {
      if (point.key !== key) continue;
      live.append(point.step, point.value);
      hasNew = true;
    }
    if (!hasNew) return;
    if (live.numAppended > refetchAfter) void fetchOverview(runId).catch(ignoreMissing);
    emit();
  });

  return {
    key,
    setRuns(runIds) {
      for (const runId of [...series.keys()]) {
        if (runIds.includes(runId)) continue;
        series.delete(runId);
        details.delete(runId);
      }
      for (const runId of runIds) {
        if (series.has(runId)) continue;
        series.set(runId, createLiveSeries());
        void fetchOverview(runId).catch(ignoreMissing);
      }
      emit();
    },
    setRange(next) {
      range = next;
      details.clear();
      if (next) for (const runId of series.keys()) void fetchDetail(runId, next).catch(ignoreMissing);
      emit();
    },
    columnsOf(runId) {
      return details.get(runId) ?? series.get(runId)?.columns() ?? null;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose() {
      isDisposed = true;
      unsubscribe();
      listeners.clear();
      series.clear();
    },
  };
}
