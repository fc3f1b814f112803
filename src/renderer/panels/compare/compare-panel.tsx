import { ChartView } from '../../charts/chart-view.tsx';
import { RunLegend } from '../../charts/run-legend.tsx';
import { Button } from '../../components/button.tsx';
import { Empty, Failure, Waiting } from '../../components/feedback.tsx';
import { ConfigurationSection, SummarySection } from './compare-sections.tsx';
import { EnvironmentSection } from './environment-section.tsx';
import { OutcomeSection } from './outcome-section.tsx';
import { type CompareView, useCompare } from './use-compare.ts';

/** The chosen runs side by side: curves, figures, configuration, environments. */
export function ComparePanel() {
  const view = useCompare();
  if (view.styles.length === 0) {
    return (
      <Empty icon="compare" title="Choose runs to compare">
        <p>Tick two or more runs in the Runs panel.</p>
      </Empty>
    );
  }
  if (view.result.status === 'pending') return <Waiting what="Comparing" />;
  if (view.result.status === 'failed')
    return <Failure title="The runs cannot be compared" error={view.result.error} onRetry={view.refresh} />;
  const { comparison, summary, environments } = view.result.value;
  return (
    <div className="panel">
      <RunLegend styles={view.styles} />
      <div className="panel-body">
        <div className="compare">
          <OverlaySection view={view} />
          {view.studies.map((study) => (
            <OutcomeSection key={study.studyId} study={study} />
          ))}
          <SummarySection summary={summary} runs={comparison.runs} />
          <ConfigurationSection
            rows={comparison.configuration}
            runs={comparison.runs}
            isOnlyDifferences={view.isOnlyDifferences}
            onOnlyDifferences={view.setOnlyDifferences}
          />
          <EnvironmentSection choices={environments} />
        </div>
      </div>
    </div>
  );
}

function OverlaySection({ view }: { view: CompareView }) {
  return (
    <section>
      <div className="section-head">
        <h3>Overlay</h3>
        <select
          className="select"
          aria-label="Metric"
          value={view.metricKey ?? ''}
          onChange={(event) => view.setMetricKey(event.target.value)}
        >
          {view.availableKeys.map((key) => (
            <option key={key}>{key}</option>
          ))}
        </select>
        <Button label="Refresh" variant="ghost" onPress={view.refresh} />
      </div>
      <div className="chart-card">
        {view.metricKey === null ? (
          <div className="chart-host">
            <div className="chart-empty">No metric yet</div>
          </div>
        ) : (
          <ChartView metricKey={view.metricKey} styles={view.styles} isLogScale={false} syncKey="compare" />
        )}
      </div>
    </section>
  );
}
