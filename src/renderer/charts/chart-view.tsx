import { useEffect, useRef, useState } from 'react';
import { useWorkbench } from '../app/workbench-context.tsx';
import { type ChartSource, createChartSource } from './chart-source.ts';
import { createLineChart, type LineChart } from './line-chart.ts';
import type { RunStyle } from './run-style.ts';

export interface ChartViewProps {
  readonly metricKey: string;
  readonly styles: readonly RunStyle[];
  readonly isLogScale: boolean;
  readonly syncKey: string;
}

/** Mounts one live chart. React sees its frame; the curve is drawn outside of it. */
export function ChartView({ metricKey, styles, isLogScale, syncKey }: ChartViewProps) {
  const { client } = useWorkbench();
  const host = useRef<HTMLDivElement>(null);
  const parts = useRef<{ chart: LineChart; source: ChartSource } | null>(null);
  const [hasData, setHasData] = useState(false);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const source = createChartSource(client, metricKey);
    const chart = createLineChart(element, {
      isLogScale,
      syncKey,
      onZoom: (range) => source.setRange(range),
    });
    source.onChange(() => {
      chart.requestDraw();
      setHasData(chart.hasData());
    });
    parts.current = { chart, source };
    return () => {
      chart.destroy();
      source.dispose();
      parts.current = null;
    };
  }, [client, metricKey, isLogScale, syncKey]);

  // Dependencies: a rebuilt chart (client, key, scale, sync) needs its input again
  useEffect(() => {
    const current = parts.current;
    if (!current) return;
    current.chart.setInput({ styles, columnsOf: current.source.columnsOf });
    current.source.setRuns(styles.map((style) => style.runId));
  }, [styles, client, metricKey, isLogScale, syncKey]);

  return (
    <div
      className="chart-host"
      ref={host}
      role="img"
      aria-label={`${metricKey} against charged steps`}
      data-has-data={hasData}
    >
      {hasData ? null : <div className="chart-empty">No points yet</div>}
    </div>
  );
}
