import type { ReportView } from '../../../shared/contract/report.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Failure, NoticeBox, Waiting } from '../../components/feedback.tsx';
import { formatCount } from '../../components/format.ts';
import { studyLabel } from '../../state/study-label.ts';
import { GrowthSection } from './growth-section.tsx';
import { ProbeSection } from './probe-section.tsx';
import { FunnelSection, ImpactSection, WishesSection } from './proposal-sections.tsx';
import { FinalSection, HeldOutSection, SpentSection, ThresholdSection } from './score-sections.tsx';
import { type ReportPanelView, useReport } from './use-report.ts';

/** What changing the environment did: the evolution report of a study. */
export function ReportPanel() {
  const view = useReport();
  if (view.studyId === null) {
    return (
      <Empty icon="report" title="Nothing to report yet">
        <p>Start an experiment: its report grows with its runs.</p>
      </Empty>
    );
  }
  return (
    <div className="panel">
      <Toolbar view={view} />
      <div className="panel-body">
        <Body view={view} />
      </div>
    </div>
  );
}

function Toolbar({ view }: { view: ReportPanelView }) {
  return (
    <div className="panel-toolbar">
      <select
        className="select"
        aria-label="Study"
        value={view.studyId ?? ''}
        onChange={(event) => view.choose(event.target.value)}
      >
        {view.studies.map((study) => (
          <option key={study.studyId} value={study.studyId}>
            {studyLabel(study)}
          </option>
        ))}
      </select>
      <span className="spacer" />
      <Button label="Refresh" variant="ghost" onPress={view.refresh} />
    </div>
  );
}

function Body({ view: { report, refresh } }: { view: ReportPanelView }) {
  if (report.status === 'pending') return <Waiting what="Reading the record" />;
  if (report.status === 'failed')
    return <Failure title="There is no report" error={report.error} onRetry={refresh} />;
  return <Report report={report.value} />;
}

function Report({ report }: { report: ReportView }) {
  const { objective, budget, baseline, warnings } = report;
  return (
    <article className="compare report">
      <header>
        <h2>What changing the environment did</h2>
        <p className="muted">
          {objective.metric} of {objective.group}, {objective.better} is better, scored on the objective's own
          environment. Every run spends {formatCount(budget.steps)} charged steps in {budget.rounds} rounds;
          arms are compared with {baseline}, paired by seed. Bars are intervals at 95 %, or the range of the
          seeds where there are fewer than six.
        </p>
        {warnings.map((warning) => (
          <NoticeBox key={warning} tone="warning">
            <span>{warning}</span>
          </NoticeBox>
        ))}
      </header>
      <FinalSection report={report} />
      <ThresholdSection report={report} />
      <HeldOutSection report={report} />
      <GrowthSection report={report} />
      <FunnelSection report={report} />
      <ProbeSection report={report} />
      <ImpactSection report={report} />
      <WishesSection report={report} />
      <SpentSection report={report} />
    </article>
  );
}
