import uPlot from 'uplot';
import { formatCount, formatValue } from '../components/format.ts';
import { attachTooltip } from './chart-tooltip.ts';
import { dashesOf } from './overlap.ts';
import type { RunStyle } from './run-style.ts';
import type { SeriesColumns } from './series-columns.ts';

export interface LineChartOptions {
  readonly isLogScale: boolean;
  /** Charts with the same key move their cursors together. */
  readonly syncKey: string;
  /** A zoom by dragging, or null when double-clicked back to the whole. */
  readonly onZoom: (range: { from: number; to: number } | null) => void;
}

export interface ChartInput {
  readonly styles: readonly RunStyle[];
  readonly columnsOf: (runId: string) => SeriesColumns | null;
}

/** A uPlot chart of one metric over several runs. It lives outside React: data in, pixels out. */
export interface LineChart {
  setInput(input: ChartInput): void;
  /** Draws at the next frame; calls in between are merged. */
  requestDraw(): void;
  hasData(): boolean;
  destroy(): void;
}

const columnsPerRun = 3;

/** Charts that zoom together go back together. */
const zoomGroups = new Map<string, Set<() => void>>();

function resetGroup(syncKey: string): void {
  for (const reset of zoomGroups.get(syncKey) ?? []) reset();
}

/** Returns the function that leaves the group. */
function joinZoomGroup(syncKey: string, reset: () => void): () => void {
  const group = zoomGroups.get(syncKey) ?? new Set();
  zoomGroups.set(syncKey, group.add(reset));
  return () => group.delete(reset);
}

export function createLineChart(host: HTMLElement, options: LineChartOptions): LineChart {
  let input: ChartInput = { styles: [], columnsOf: () => null };
  let plot: uPlot | null = null;
  let frame = 0;
  let isZoomed = false;

  const build = (): void => {
    plot?.destroy();
    const styles = readTheme(host);
    plot = new uPlot(
      {
        width: host.clientWidth || 400,
        height: host.clientHeight || 240,
        legend: { show: false },
        cursor: { sync: { key: options.syncKey }, drag: { x: true, y: false }, points: { size: 6 } },
        scales: {
          x: {
            time: false,
            range: (_self, low, high) => (isZoomed ? [low, high] : wholeRange(input.styles, low, high)),
          },
          y: { distr: options.isLogScale ? 4 : 1 },
        },
        axes: [axisOf(styles, 'x'), axisOf(styles, 'y')],
        series: [{}, ...input.styles.flatMap((style) => seriesOf(style, styles))],
        bands: input.styles.map((style, index) => ({
          series: [index * columnsPerRun + 3, index * columnsPerRun + 2],
          fill: withAlpha(styles.colorOf(style.colorIndex), 0.16),
        })),
        hooks: {
          setSelect: [
            (self) => {
              if (self.select.width < 4) return;
              isZoomed = true;
              options.onZoom({
                from: self.posToVal(self.select.left, 'x'),
                to: self.posToVal(self.select.left + self.select.width, 'x'),
              });
            },
          ],
        },
        plugins: [attachTooltip(() => input.styles, columnsPerRun)],
      },
      alignedData(input),
      host,
    );
    dashOverlaps(plot, input);
    plot.over.addEventListener('dblclick', () => resetGroup(options.syncKey));
  };

  const draw = (): void => {
    frame = 0;
    if (!plot || host.clientWidth === 0) return;
    dashOverlaps(plot, input);
    plot.setData(alignedData(input), !isZoomed);
    if (isZoomed) plot.redraw();
  };

  const requestDraw = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };

  const resetZoom = (): void => {
    isZoomed = false;
    options.onZoom(null);
    requestDraw();
  };

  const resize = new ResizeObserver(() => {
    if (!plot || host.clientWidth === 0) return;
    plot.setSize({ width: host.clientWidth, height: host.clientHeight });
    // What came while the chart was hidden has not been drawn.
    requestDraw();
  });
  resize.observe(host);
  const leaveZoomGroup = joinZoomGroup(options.syncKey, resetZoom);
  const themeObserver = new MutationObserver(build);
  themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] });

  return {
    setInput(next) {
      input = next;
      build();
    },
    requestDraw,
    hasData: () => input.styles.some((style) => (input.columnsOf(style.runId)?.steps.length ?? 0) > 0),
    destroy() {
      cancelAnimationFrame(frame);
      resize.disconnect();
      leaveZoomGroup();
      themeObserver.disconnect();
      plot?.destroy();
      plot = null;
    },
  };
}

/** The whole budget, so that a first point lies where its step does and a moving curve shows how much is to come. */
function wholeRange(
  styles: readonly RunStyle[],
  low: number | null,
  high: number | null,
): [number | null, number | null] {
  const total = Math.max(0, ...styles.map((style) => style.totalSteps));
  return total > 0 ? [0, Math.max(total, high ?? 0)] : [low, high];
}

/** Gives the curves that lie on others gaps to see those through; the chart reads it when it draws next. */
function dashOverlaps(plot: uPlot, { styles, columnsOf }: ChartInput): void {
  for (const [index, dash] of dashesOf(styles, columnsOf).entries()) {
    const series = plot.series[index * columnsPerRun + 1];
    if (series) series.dash = dash.map((length) => length * devicePixelRatio);
  }
}

/** One x column for all runs; per run mean, low and high, null where a run has no point. */
function alignedData(input: ChartInput): uPlot.AlignedData {
  const tables = input.styles.map((style): uPlot.AlignedData => {
    const columns = input.columnsOf(style.runId);
    if (!columns) return [[], [], [], []];
    return [columns.steps, columns.values, columns.low, columns.high].map((column) => Array.from(column)) as [
      number[],
      number[],
      number[],
      number[],
    ];
  });
  if (tables.length === 0) return [[]];
  return uPlot.join(tables);
}

function seriesOf(style: RunStyle, theme: ChartTheme): uPlot.Series[] {
  const edge: uPlot.Series = {
    show: true,
    stroke: 'transparent',
    width: 0,
    points: { show: false },
    spanGaps: true,
  };
  return [
    {
      label: style.label,
      stroke: theme.colorOf(style.colorIndex),
      width: 1.75,
      spanGaps: true,
      points: { size: 5, fill: theme.colorOf(style.colorIndex) },
    },
    edge,
    edge,
  ];
}

interface ChartTheme {
  readonly text: string;
  readonly grid: string;
  readonly font: string;
  colorOf(index: number): string;
}

function readTheme(host: HTMLElement): ChartTheme {
  const style = getComputedStyle(host);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: read('--muted'),
    grid: read('--border'),
    font: `11px ${read('--font-ui')}`,
    colorOf: (index) => read(`--series-${index}`),
  };
}

function axisOf(theme: ChartTheme, axis: 'x' | 'y'): uPlot.Axis {
  return {
    stroke: theme.text,
    font: theme.font,
    grid: { stroke: withAlpha(theme.grid, 0.7), width: 1 },
    ticks: { show: false },
    gap: 6,
    size: axis === 'x' ? 26 : 58,
    space: axis === 'x' ? 70 : 34,
    values: (_self, ticks) =>
      ticks.map((tick) => (tick === null ? '' : axis === 'x' ? formatCount(tick) : formatValue(tick))),
  };
}

function withAlpha(hex: string, alpha: number): string {
  return `${hex}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`;
}
