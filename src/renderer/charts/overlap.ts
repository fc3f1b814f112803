import type { RunStyle } from './run-style.ts';
import type { SeriesColumns } from './series-columns.ts';

/** Dashes of a solid curve by how many curves it lies on: of one period, so that each leaves a part of those below. */
const dashesOnTop: readonly (readonly number[])[] = [[], [14, 7], [7, 14], [3, 18]];
const addedGap = 5;

/**
 * The dash of every curve. One that begins as an earlier one does lies on it, as long as both train in the same
 * environment: runs of a seed are equal until something tells them apart. It gets gaps that show what is below.
 */
export function dashesOf(
  styles: readonly RunStyle[],
  columnsOf: (runId: string) => SeriesColumns | null,
): readonly (readonly number[])[] {
  const starts = styles.map((style) => startOf(columnsOf(style.runId)));
  return styles.map(({ dash }, index) => {
    const start = starts[index];
    if (start === null) return dash;
    return onTop(dash, starts.slice(0, index).filter((other) => other === start).length);
  });
}

function startOf(columns: SeriesColumns | null): string | null {
  if (columns === null || columns.steps.length === 0) return null;
  return `${columns.steps[0]}:${columns.values[0]}`;
}

function onTop(dash: readonly number[], numBelow: number): readonly number[] {
  if (numBelow === 0) return dash;
  if (dash.length === 0) return dashesOnTop[Math.min(numBelow, dashesOnTop.length - 1)] ?? dash;
  return dash.map((length, index) => (index % 2 === 0 ? length : length + addedGap * numBelow));
}
