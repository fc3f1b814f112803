import { ChartView } from '../../charts/chart-view.tsx';
import { isEvaluationKey } from '../../charts/metric-keys.ts';
import { MetricPicker } from '../../charts/metric-picker.tsx';
import { RunLegend } from '../../charts/run-legend.tsx';
import { Button } from '../../components/button.tsx';
import { Badge, Empty } from '../../components/feedback.tsx';
import { useCharts } from './use-charts.ts';

/** Live curves of the chosen runs, one chart per metric. */
export function ChartsPanel() {
  const view = useCharts();
  if (view.styles.length === 0) {
    return (
      <Empty icon="chart" title="No runs chosen">
        <p>Start an experiment, or tick runs in the Runs panel to see their curves together.</p>
      </Empty>
    );
  }
  return (
    <div className="panel">
      <div className="panel-toolbar">
        <MetricPicker available={view.availableKeys} chosen={view.keys} onToggle={view.toggleKey} />
        <label className="check">
          <input
            type="checkbox"
            checked={view.isLogScale}
            onChange={(event) => view.setLogScale(event.target.checked)}
          />
          log scale
        </label>
        <span className="spacer" />
        <span className="muted">x: charged steps · drag to zoom, double-click to reset</span>
      </div>
      <RunLegend styles={view.styles} />
      <div className="panel-body">
        <div className="charts">
          {view.keys.map((key) => (
            <section className="chart-card" key={key} aria-label={key}>
              <header>
                <strong className="mono truncate">{key}</strong>
                <Badge tone={isEvaluationKey(key) ? 'accent' : 'neutral'}>
                  {isEvaluationKey(key) ? 'evaluation' : 'training'}
                </Badge>
                <span className="grow" />
                <Button
                  label={`Remove ${key}`}
                  icon="close"
                  variant="ghost"
                  isIconOnly
                  onPress={() => view.toggleKey(key)}
                />
              </header>
              <ChartView metricKey={key} styles={view.styles} isLogScale={view.isLogScale} syncKey="charts" />
            </section>
          ))}
        </div>
        {view.keys.length === 0 ? <Empty icon="chart" title="Waiting for the first points" /> : null}
      </div>
    </div>
  );
}
