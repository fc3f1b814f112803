import type { SeriesView } from '../../shared/contract/runs.ts';

/** One metric of one run against charged steps; `low` and `high` are the band of what each point stands for. */
export interface SeriesColumns {
  readonly steps: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
}

/** A fetched overview and the points that came since, kept in step order. */
export interface LiveSeries {
  /** Takes a fetched, decimated series; later points that arrived meanwhile stay. */
  adopt(view: SeriesView): void;
  /** Appends a point. A step at or before the last one means the run was resumed: what lies beyond is cut. */
  append(step: number, value: number): void;
  columns(): SeriesColumns;
  /** Points appended since the last fetch. */
  readonly numAppended: number;
}

interface MutableColumns {
  steps: number[];
  values: number[];
  low: number[];
  high: number[];
}

export function createLiveSeries(): LiveSeries {
  let columns: MutableColumns = { steps: [], values: [], low: [], high: [] };
  let numAppended = 0;

  const cutBack = (step: number): void => {
    let length = columns.steps.length;
    while (length > 0 && (columns.steps[length - 1] ?? 0) >= step) length -= 1;
    for (const column of Object.values(columns) as number[][]) column.length = length;
  };

  const append = (step: number, value: number): void => {
    const last = columns.steps.at(-1);
    if (last !== undefined && step <= last) cutBack(step);
    columns.steps.push(step);
    columns.values.push(value);
    columns.low.push(value);
    columns.high.push(value);
    numAppended += 1;
  };

  return {
    get numAppended() {
      return numAppended;
    },
    adopt(view) {
      const previous = columns;
      const lastFetched = view.steps.at(-1) ?? Number.NEGATIVE_INFINITY;
      columns = {
        steps: Array.from(view.steps),
        values: Array.from(view.values),
        low: Array.from(view.low),
        high: Array.from(view.high),
      };
      numAppended = 0;
      previous.steps.forEach((step, index) => {
        if (step > lastFetched) append(step, previous.values[index] ?? Number.NaN);
      });
    },
    append,
    columns: () => columns,
  };
}
